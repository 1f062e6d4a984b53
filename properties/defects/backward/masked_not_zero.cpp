#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::masked_not_zero {

Defect defect() {
  return in_operations({"attention"}, "*",
                       "The last key gets a gradient of 1e-12 under the causal mask",
                       "A masked position must get exactly 0", [](const WrongBackward& b) {
                         const Tensor& dk = b.out[1];
                         if (!b.attributes.causal) return;
                         set(dk, 0, 0, dk.rows() - 1, 0, at(dk, 0, 0, dk.rows() - 1, 0) + 1e-12);
                       });
}

}  // namespace rootdk::defects::backward::masked_not_zero
