#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::heads_swapped {

Defect defect() {
  return in_operations({"scores", "attention"}, "*",
                       "The first and the last head exchange their dQ", "Invisible with one head",
                       [](const WrongBackward& b) {
                         const Tensor& dq = b.out[0];
                         const std::int64_t last = dq.shape[1] - 1;
                         for (std::int64_t n = 0; n < dq.shape[0] && last > 0; ++n) {
                           for (std::int64_t i = 0; i < dq.rows(); ++i) {
                             for (std::int64_t j = 0; j < dq.cols(); ++j) {
                               const double first = at(dq, n, 0, i, j);
                               set(dq, n, 0, i, j, at(dq, n, last, i, j));
                               set(dq, n, last, i, j, first);
                             }
                           }
                         }
                       });
}

}  // namespace rootdk::defects::backward::heads_swapped
