#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

#include <cmath>

namespace rootdk::defects::init::value_unscaled {

Defect defect() {
  return {
      .statement = "DeepNorm's β is not applied to the value in the packed matrix",
      .fact = "Variance × √(8N)",
      .refuted_by = {"init.packed_qkv"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.value_unscaled", "init_parameter", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    if (a.recipe != "deepnorm" || a.role != "packed_qkv") return;
                                    multiply(columns(out[0], 2 * a.d_model, a.d_model),
                                             std::pow(8 * a.branches, 0.25));
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::value_unscaled
