#include <rootdk/properties/gradient/norm_row.hpp>

namespace rootdk::defects::backward::rms_weight_twice {

Defect defect() {
  return in_operations({"rms_norm"}, "", "γ stands twice in the second term of dx",
                       "No error at γ = 1, 1.8 % at γ uniform on (0.5, 1.5)",
                       [](const WrongBackward& b) {
                         change_norm(b, false, [](const NormRow& row, double unit) {
                           return row.r * unit * (row.mean_gx - row.mean_ggx);
                         });
                       });
}

}  // namespace rootdk::defects::backward::rms_weight_twice
