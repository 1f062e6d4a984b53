#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::relative_1e_4 {

Defect defect() {
  return everywhere("Every gradient is too large by one part in ten thousand",
                    "Passes a check with a relative tolerance of 1e-3",
                    [](const WrongBackward& b) { b.multiply_all(1 + 1e-4); });
}

}  // namespace rootdk::defects::backward::relative_1e_4
