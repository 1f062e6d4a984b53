#include <rootdk/properties/gradient/wrong.hpp>
#include <rootdk/properties/wide.hpp>

namespace rootdk::defects::backward::gamma_offset {

Defect defect() {
  return in_operations({"rms_norm", "layer_norm"}, "", "The backward pass takes γ − 1 for γ",
                       "Zero-centred gains whose 1 + γ is forgotten", [](const WrongBackward& b) {
                         const OwnedTensor other = make_tensor(b.in[1].dtype, b.in[1].shape);
                         copy(other.tensor, b.in[1]);
                         for (std::int64_t j = 0; j < b.in[1].cols(); ++j) {
                           set_element(other.tensor, 0, j, element(b.in[1], 0, j) - 1);
                         }
                         std::vector<Tensor> in(b.in.begin(), b.in.end());
                         in[1] = other.tensor;
                         b.again(in);
                       });
}

}  // namespace rootdk::defects::backward::gamma_offset
