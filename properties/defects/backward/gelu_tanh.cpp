#include <rootdk/properties/gradient/wrong.hpp>

#include <cmath>
#include <numbers>

namespace rootdk::defects::backward::gelu_tanh {

Defect defect() {
  return in_operations({"gelu"}, "", "The backward pass is that of the tanh form of GELU",
                       "The slopes differ by up to 1e-3", [](const WrongBackward& b) {
                         const double c = std::sqrt(2 / std::numbers::pi);
                         for_each_entry(b.in[0], [&](auto n, auto h, auto i, auto j) {
                           const double x = at(b.in[0], n, h, i, j);
                           const double t = std::tanh(c * (x + 0.044715 * x * x * x));
                           const double slope = 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c *
                                                                    (1 + 3 * 0.044715 * x * x);
                           set(b.out[0], n, h, i, j, at(b.cotangent(), n, h, i, j) * slope);
                         });
                       });
}

}  // namespace rootdk::defects::backward::gelu_tanh
