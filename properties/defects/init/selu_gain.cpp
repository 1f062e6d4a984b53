#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::init::selu_gain {

Defect defect() {
  return {
      .statement = "The gain recommended for SELU is ¾",
      .fact = "The fixed point has an RMS of 0.2024 for 1",
      .refuted_by = {"init.gain.selu", "init.selu.fixed_point"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.selu_gain", "activation_gain", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    if (a.activation == "selu") fill(out[0], 0.75);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::selu_gain
