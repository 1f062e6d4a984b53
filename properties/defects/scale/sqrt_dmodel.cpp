#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::sqrt_dmodel {

Defect defect() {
  return {
      .id = {},
      .statement = "Divides by the root of the model's width in place of the head's",
      .fact = "variance 1/h; invisible at one head",
      .refuted_by = {"scaling.variance.sqrt_dk"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.sqrt_dmodel", [](const Attributes& a, const Tensor&) {
              if (a.scheme != "sqrt_dk") return 1.0;
              return 1 / std::sqrt(static_cast<double>(a.heads));
            });
          },
  };
}

}  // namespace rootdk::defects::scale::sqrt_dmodel
