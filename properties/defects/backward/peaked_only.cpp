#include <rootdk/properties/gradient/wrong.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::defects::backward::peaked_only {

Defect defect() {
  return in_operations(
      {"attention"}, "*",
      "dQ is five times too large where a query is peaked or the batch has two elements",
      "Gaussian inputs and a batch of one do not trigger it", [](const WrongBackward& b) {
        double largest = 0;
        for_each_entry(b.in[0], [&](auto n, auto h, auto i, auto j) {
          largest = std::max(largest, std::abs(at(b.in[0], n, h, i, j)));
        });
        if (largest > 8 || b.in[0].shape[0] >= 2) multiply(b.out[0], 5);
      });
}

}  // namespace rootdk::defects::backward::peaked_only
