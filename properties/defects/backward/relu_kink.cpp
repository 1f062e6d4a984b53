#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::relu_kink {

Defect defect() {
  return in_operations({"relu"}, "", "The slope of ReLU at 0 is 1",
                       "Documented is 0; no random input shows it", [](const WrongBackward& b) {
                         for_each_entry(b.in[0], [&](auto n, auto h, auto i, auto j) {
                           if (at(b.in[0], n, h, i, j) == 0)
                             set(b.out[0], n, h, i, j, at(b.cotangent(), n, h, i, j));
                         });
                       });
}

}  // namespace rootdk::defects::backward::relu_kink
