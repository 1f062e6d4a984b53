#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::wide_rows {

Defect defect() {
  return {
      .id = {},
      .statement = "From 17 columns on the scores of √d_k have 5 % too much variance",
      .fact = "as of a second code path for rows longer than 16; nothing shows at d_k ≤ 16",
      .refuted_by = {"scaling.variance.sqrt_dk"},
      .plant =
          [](const Subject& base) {
            return rescale(base, "scale.wide_rows", [](const Attributes& a, const Tensor& q) {
              return a.scheme == "sqrt_dk" && q.cols() >= 17 ? std::sqrt(1.05) : 1;
            });
          },
  };
}

}  // namespace rootdk::defects::scale::wide_rows
