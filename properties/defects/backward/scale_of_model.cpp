#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::scale_of_model {

Defect defect() {
  return in_operations(
      {"scores", "attention"}, "sqrt_dk",
      "The backward pass divides by √d_model where the forward pass divides by √d_k",
      "Right with one head", [](const WrongBackward& b) {
        Attributes other = b.attributes;
        if (other.scheme == "sqrt_dk") {
          other.scheme = "sqrt_dmodel";
          b.again(other);
        }
      });
}

}  // namespace rootdk::defects::backward::scale_of_model
