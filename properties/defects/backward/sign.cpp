#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::sign {

Defect defect() {
  return everywhere("The gradient of the first input has the wrong sign", "Training climbs",
                    [](const WrongBackward& b) { multiply(b.out[0], -1); });
}

}  // namespace rootdk::defects::backward::sign
