#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::padding_ignored {

Defect defect() {
  return in_operations({"attention", "multi_head", "prenorm_block", "postnorm_block"}, "*",
                       "The backward pass forgets the padding", "Padded keys get a gradient",
                       [](const WrongBackward& b) {
                         Attributes other = b.attributes;
                         other.key_lengths = {};
                         if (!b.attributes.key_lengths.empty()) b.again(other);
                       });
}

}  // namespace rootdk::defects::backward::padding_ignored
