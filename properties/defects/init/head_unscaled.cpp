#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::head_unscaled {

Defect defect() {
  return {
      .statement = "The output head has variance 1 instead of 1/d_model",
      .fact = "First loss 110 for 10.9 at a vocabulary of 32,128",
      .refuted_by = {"init.first_loss", "init.packed_qkv"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.head_unscaled", "init_parameter", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    if (a.role == "head")
                                      multiply(out[0], std::sqrt(static_cast<double>(a.d_model)));
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::head_unscaled
