#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::linear_transposed {

Defect defect() {
  return in_operations({"linear"}, "", "dW is transposed where W is square",
                       "Gradients of the wrong shape are noticed, of the wrong order not",
                       [](const WrongBackward& b) {
                         const Tensor& dw = b.out[1];
                         for (std::int64_t i = 0; dw.rows() == dw.cols() && i < dw.rows(); ++i) {
                           for (std::int64_t j = 0; j < i; ++j) {
                             const double kept = element(dw, i, j);
                             set_element(dw, i, j, element(dw, j, i));
                             set_element(dw, j, i, kept);
                           }
                         }
                       });
}

}  // namespace rootdk::defects::backward::linear_transposed
