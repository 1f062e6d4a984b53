#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::relative_1e_6 {

Defect defect() {
  return everywhere("Every gradient is too large by one part in a million",
                    "Passes a check with a relative tolerance of 1e-3 or 1e-5",
                    [](const WrongBackward& b) { b.multiply_all(1 + 1e-6); });
}

}  // namespace rootdk::defects::backward::relative_1e_6
