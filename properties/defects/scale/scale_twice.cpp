#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_twice {

Defect defect() {
  return {
      .id = {},
      .statement =
          "The query is scaled beforehand, or by its initialisation, and the scores are scaled "
          "again",
      .fact = "variance 1/d_k; the output is still fluent",
      .refuted_by = {"scaling.variance.sqrt_dk", "scaling.variance.absorbed"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.scale_twice", [](const Attributes& a, const Tensor& q) {
              return a.scheme == "sqrt_dk" || a.scheme == "absorbed" ? 1 / root_of_width(q) : 1.0;
            });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_twice
