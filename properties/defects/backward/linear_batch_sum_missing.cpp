#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::linear_batch_sum_missing {

Defect defect() {
  return in_operations({"linear"}, "", "dW and db hold the first element of the batch alone",
                       "Right with a batch of one", [](const WrongBackward& b) {
                         std::vector<Tensor> in(b.in.begin(), b.in.end());
                         in.front() = matrix(in.front(), 0, 0);
                         in.back() = matrix(in.back(), 0, 0);
                         std::vector<Tensor> out(b.out.begin(), b.out.end());
                         out.front() = matrix(out.front(), 0, 0);
                         b.right(b.attributes, in, out);
                       });
}

}  // namespace rootdk::defects::backward::linear_batch_sum_missing
