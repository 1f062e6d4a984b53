#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::queries_keys_swapped {

Defect defect() {
  return in_operations(
      {"scores", "attention"}, "*", "dQ and dK are exchanged where their shapes agree",
      "Invisible where n differs from m; right where Q = K", [](const WrongBackward& b) {
        if (b.out[0].shape != b.out[1].shape) return;
        const Tensor& dq = b.out[0];
        const Tensor& dk = b.out[1];
        for_each_entry(dq, [&](auto n, auto h, auto i, auto j) {
          const double first = at(dq, n, h, i, j);
          set(dq, n, h, i, j, at(dk, n, h, i, j));
          set(dk, n, h, i, j, first);
        });
      });
}

}  // namespace rootdk::defects::backward::queries_keys_swapped
