#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::mup_constant {

Defect defect() {
  return {
      .id = {},
      .statement = "1/d_k with a default multiplier √d_k that undoes it",
      .fact = "slope 0 in place of −1/2 across widths",
      .refuted_by = {"scaling.variance.mup"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.mup_constant", [](const Attributes& a, const Tensor& q) {
              return a.scheme == "mup" ? root_of_width(q) : 1.0;
            });
          },
  };
}

}  // namespace rootdk::defects::scale::mup_constant
