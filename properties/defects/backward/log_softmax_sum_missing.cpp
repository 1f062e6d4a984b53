#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::log_softmax_sum_missing {

Defect defect() {
  return in_operations({"log_softmax"}, "", "dz = dy, without p Σ dy",
                       "Right for cotangents of sum 0",
                       [](const WrongBackward& b) { copy(b.out[0], b.cotangent()); });
}

}  // namespace rootdk::defects::backward::log_softmax_sum_missing
