#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::residual_gain_missing {

Defect defect() {
  return in_operations({"residual"}, "", "dbranch = dy, without the factor of the branch",
                       "Right at a factor of 1",
                       [](const WrongBackward& b) { copy(b.out[1], b.cotangent()); });
}

}  // namespace rootdk::defects::backward::residual_gain_missing
