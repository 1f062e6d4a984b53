#include <rootdk/properties/gradient/norm_row.hpp>

namespace rootdk::defects::backward::layer_projection_missing {

Defect defect() {
  return in_operations({"layer_norm"}, "", "dx lacks the component along the normalised row",
                       "A cotangent of ones never shows it", [](const WrongBackward& b) {
                         change_norm(b, true, [](const NormRow& row, double unit) {
                           return row.r * unit * row.mean_gx;
                         });
                       });
}

}  // namespace rootdk::defects::backward::layer_projection_missing
