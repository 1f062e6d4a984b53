#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::causal_ignored {

Defect defect() {
  return in_operations({"attention", "multi_head", "prenorm_block", "postnorm_block"}, "*",
                       "The backward pass forgets the causal mask",
                       "Masked positions get a gradient", [](const WrongBackward& b) {
                         Attributes other = b.attributes;
                         other.causal = false;
                         if (b.attributes.causal) b.again(other);
                       });
}

}  // namespace rootdk::defects::backward::causal_ignored
