#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::bias_sum_missing {

Defect defect() {
  return in_operations(
      {"linear"}, "", "db is the cotangent of the last row instead of the sum over the rows",
      "Right for one row", [](const WrongBackward& b) {
        if (b.out.size() < 3) return;
        const Tensor& dy = b.cotangent();
        for (std::int64_t j = 0; j < dy.cols(); ++j) {
          set_element(b.out[2], 0, j, at(dy, dy.shape[0] - 1, 0, dy.rows() - 1, j));
        }
      });
}

}  // namespace rootdk::defects::backward::bias_sum_missing
