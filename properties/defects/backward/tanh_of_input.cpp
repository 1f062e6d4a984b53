#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::tanh_of_input {

Defect defect() {
  return in_operations({"tanh"}, "", "dx = dy (1 − x²): the input is taken for the output",
                       "Right to second order near 0", [](const WrongBackward& b) {
                         for_each_entry(b.in[0], [&](auto n, auto h, auto i, auto j) {
                           const double x = at(b.in[0], n, h, i, j);
                           set(b.out[0], n, h, i, j, at(b.cotangent(), n, h, i, j) * (1 - x * x));
                         });
                       });
}

}  // namespace rootdk::defects::backward::tanh_of_input
