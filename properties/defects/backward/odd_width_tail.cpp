#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::odd_width_tail {

Defect defect() {
  return in_operations({"scores", "attention"}, "*",
                       "The last column of dQ is left at zero where d_k is odd",
                       "A vectorised loop without its remainder; tests with powers of two pass",
                       [](const WrongBackward& b) {
                         const Tensor& dq = b.out[0];
                         for_each_entry(dq, [&](auto n, auto h, auto i, auto j) {
                           if (dq.cols() % 2 == 1 && j == dq.cols() - 1) set(dq, n, h, i, j, 0);
                         });
                       });
}

}  // namespace rootdk::defects::backward::odd_width_tail
