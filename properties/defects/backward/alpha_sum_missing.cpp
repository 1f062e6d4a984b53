#include <rootdk/properties/gradient/wrong.hpp>
#include <rootdk/properties/wide.hpp>

namespace rootdk::defects::backward::alpha_sum_missing {

Defect defect() {
  return in_operations(
      {"scores", "attention"}, "parameters",
      "The gradient of a scheme’s parameter is not summed over heads and batch",
      "Right with one head and a batch of one", [](const WrongBackward& b) {
        const std::ptrdiff_t p = b.parameters();
        if (p < 0) return;
        // The pass on the first matrix alone, whose other gradients are thrown away.
        std::vector<Tensor> in;
        std::vector<Tensor> out;
        std::vector<OwnedTensor> kept;
        for (std::size_t k = 0; k < b.in.size(); ++k) {
          in.push_back(static_cast<std::ptrdiff_t>(k) == p ? b.in[k] : matrix(b.in[k], 0, 0));
        }
        for (std::size_t k = 0; k < b.out.size(); ++k) {
          kept.push_back(make_tensor(b.out[k].dtype, in[k].shape));
          out.push_back(static_cast<std::ptrdiff_t>(k) == p ? b.out[k] : kept.back().tensor);
        }
        b.right(b.attributes, in, out);
      });
}

}  // namespace rootdk::defects::backward::alpha_sum_missing
