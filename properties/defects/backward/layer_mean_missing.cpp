#include <rootdk/properties/gradient/norm_row.hpp>

namespace rootdk::defects::backward::layer_mean_missing {

Defect defect() {
  return in_operations(
      {"layer_norm"}, "", "dx lacks the mean of γ dy",
      "Right for cotangents of mean 0; then Σ dx is not 0", [](const WrongBackward& b) {
        change_norm(b, true,
                    [](const NormRow& row, double unit) { return 0 * unit + row.r * row.mean_g; });
      });
}

}  // namespace rootdk::defects::backward::layer_mean_missing
