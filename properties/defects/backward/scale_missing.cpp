#include <rootdk/properties/gradient/wrong.hpp>

#include <cmath>

namespace rootdk::defects::backward::scale_missing {

Defect defect() {
  return in_operations({"scores", "attention"}, "*",
                       "The backward pass divides dQ by √d_k once too often", "Right at d_k = 1",
                       [](const WrongBackward& b) {
                         multiply(b.out[0], 1 / std::sqrt(static_cast<double>(b.in[0].cols())));
                       });
}

}  // namespace rootdk::defects::backward::scale_missing
