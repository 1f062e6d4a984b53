#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::root_missing {

Defect defect() {
  return {
      .id = {},
      .statement = "Divides by d_k in place of its root",
      .fact = "variance 1/d_k",
      .refuted_by = {"scaling.variance.sqrt_dk", "scores.scaled_variance"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.root_missing", [](const Attributes& a, const Tensor& q) {
              return a.scheme == "sqrt_dk" ? 1 / root_of_width(q) : 1.0;
            });
          },
  };
}

}  // namespace rootdk::defects::scale::root_missing
