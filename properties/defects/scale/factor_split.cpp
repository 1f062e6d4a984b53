#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::factor_split {

Defect defect() {
  return {
      .id = {},
      .statement = "Equivalent form: (√s Q)(√s K)ᵀ",
      .fact = "the same function in float and double: no claim may refute it",
      .refuted_by = {},
      .plant =
          [](const Subject& base) {
            return forward_replaced(base, "scale.factor_split",
                                    [](double s) { return std::pair(std::sqrt(s), std::sqrt(s)); });
          },
      .equivalent = true,
  };
}

}  // namespace rootdk::defects::scale::factor_split
