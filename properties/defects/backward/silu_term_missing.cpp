#include <rootdk/properties/gradient/wrong.hpp>

#include <cmath>

namespace rootdk::defects::backward::silu_term_missing {

Defect defect() {
  return in_operations({"silu"}, "", "dx = dy σ(x): the derivative of the gate is forgotten",
                       "Half a slope too small at 2", [](const WrongBackward& b) {
                         for_each_entry(b.in[0], [&](auto n, auto h, auto i, auto j) {
                           const double x = at(b.in[0], n, h, i, j);
                           set(b.out[0], n, h, i, j,
                               at(b.cotangent(), n, h, i, j) / (1 + std::exp(-x)));
                         });
                       });
}

}  // namespace rootdk::defects::backward::silu_term_missing
