#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_zero {

Defect defect() {
  return {
      .id = {},
      .statement = "A scale of 0, meant as a default, is multiplied by",
      .fact = "all scores 0, the rows uniform: entropy exactly ln n",
      .refuted_by = {"scaling.variance.sqrt_dk", "scores.scaled_variance"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.scale_zero", [](const Attributes& a, const Tensor&) {
              return a.scheme == "sqrt_dk" ? 0.0 : 1.0;
            });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_zero
