#include <rootdk/properties/gradient/wrong.hpp>
#include <rootdk/properties/wide.hpp>

namespace rootdk::defects::backward::upstream_ignored {

Defect defect() {
  return everywhere(
      "The backward pass ignores its cotangent and takes ones",
      "Right where the loss is the sum of the outputs; the ratio is exactly ½ for a cotangent of 2",
      [](const WrongBackward& b) {
        std::vector<Tensor> in(b.in.begin(), b.in.end());
        const OwnedTensor ones = make_tensor(in.back().dtype, in.back().shape);
        fill(ones.tensor, 1);
        in.back() = ones.tensor;
        b.again(in);
      });
}

}  // namespace rootdk::defects::backward::upstream_ignored
