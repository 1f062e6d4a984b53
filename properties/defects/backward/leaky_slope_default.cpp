#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::leaky_slope_default {

Defect defect() {
  return in_operations({"leaky_relu"}, "", "The backward pass takes the default slope 0.01",
                       "Right for positive inputs", [](const WrongBackward& b) {
                         Attributes other = b.attributes;
                         other.slope = 0.01;
                         b.again(other);
                       });
}

}  // namespace rootdk::defects::backward::leaky_slope_default
