#include <rootdk/properties/gradient/wrong.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::defects::backward::softmax_sum_missing {

Defect defect() {
  return in_operations(
      {"softmax"}, "", "dz = p ⊙ dp, without the weighted mean of dp",
      "Behind a norm nothing of it is seen", [](const WrongBackward& b) {
        const Tensor& z = b.in[0];
        for (std::int64_t n = 0; n < z.shape[0]; ++n) {
          for (std::int64_t i = 0; i < z.rows(); ++i) {
            double top = at(z, n, 0, i, 0);
            for (std::int64_t j = 1; j < z.cols(); ++j) top = std::max(top, at(z, n, 0, i, j));
            double sum = 0;
            for (std::int64_t j = 0; j < z.cols(); ++j) sum += std::exp(at(z, n, 0, i, j) - top);
            for (std::int64_t j = 0; j < z.cols(); ++j) {
              set(b.out[0], n, 0, i, j,
                  std::exp(at(z, n, 0, i, j) - top) / sum * at(b.cotangent(), n, 0, i, j));
            }
          }
        }
      });
}

}  // namespace rootdk::defects::backward::softmax_sum_missing
