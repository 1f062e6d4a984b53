#include <rootdk/properties/gradient/norm_row.hpp>

namespace rootdk::defects::backward::rms_projection_missing {

Defect defect() {
  return in_operations(
      {"rms_norm"}, "", "dx lacks the component along the row",
      "Right for a cotangent that is orthogonal to the row", [](const WrongBackward& b) {
        change_norm(b, false,
                    [](const NormRow& row, double unit) { return row.r * unit * row.mean_gx; });
      });
}

}  // namespace rootdk::defects::backward::rms_projection_missing
