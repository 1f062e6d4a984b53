#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::factor {

Defect defect() {
  return everywhere("Every gradient is twice too large",
                    "A factor of 2 forgotten in the derivative of a square",
                    [](const WrongBackward& b) { b.multiply_all(2); });
}

}  // namespace rootdk::defects::backward::factor
