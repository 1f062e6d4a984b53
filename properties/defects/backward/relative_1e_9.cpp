#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::relative_1e_9 {

Defect defect() {
  return everywhere("Every gradient is too large by one part in a thousand million",
                    "A relative error of 1e-9 is below every fixed tolerance in use",
                    [](const WrongBackward& b) { b.multiply_all(1 + 1e-9); });
}

}  // namespace rootdk::defects::backward::relative_1e_9
