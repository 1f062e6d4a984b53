#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::cross_entropy_mean_missing {

Defect defect() {
  return in_operations(
      {"cross_entropy"}, "", "The gradient is that of the sum of the losses, not of their mean",
      "Right for one row",
      [](const WrongBackward& b) { multiply(b.out[0], static_cast<double>(b.in[0].rows())); });
}

}  // namespace rootdk::defects::backward::cross_entropy_mean_missing
