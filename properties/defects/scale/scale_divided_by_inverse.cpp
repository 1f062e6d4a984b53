#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_divided_by_inverse {

Defect defect() {
  return {
      .id = {},
      .statement = "Divides by d_k^(−1/2), the scale, in place of multiplying by it",
      .fact = "variance d_k²",
      .refuted_by = {"scaling.variance.sqrt_dk", "scores.scaled_variance"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.scale_divided_by_inverse",
                           [](const Attributes& a, const Tensor& q) {
                             return a.scheme == "sqrt_dk" ? static_cast<double>(q.cols()) : 1.0;
                           });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_divided_by_inverse
