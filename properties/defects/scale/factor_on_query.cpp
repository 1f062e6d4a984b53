#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::factor_on_query {

Defect defect() {
  return {
      .id = {},
      .statement = "Equivalent form: (sQ)Kᵀ",
      .fact = "the same function in float and double: no claim may refute it",
      .refuted_by = {},
      .plant =
          [](const Subject& base) {
            return forward_replaced(base, "scale.factor_on_query",
                                    [](double s) { return std::pair(s, 1.0); });
          },
      .equivalent = true,
  };
}

}  // namespace rootdk::defects::scale::factor_on_query
