#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::learnable_starts_at_one {

Defect defect() {
  return {
      .id = {},
      .statement = "The learnable scale starts at 1, whatever start was asked for",
      .fact = "variance d_k where 1/√d_k was meant",
      .refuted_by = {"scaling.variance.learnable"},
      .plant =
          [](const Subject& base) {
            return replace(base, "scale.learnable_starts_at_one",
                           [](const Attributes& a) -> std::string_view {
                             return a.scheme == "learnable" ? "none" : "";
                           });
          },
  };
}

}  // namespace rootdk::defects::scale::learnable_starts_at_one
