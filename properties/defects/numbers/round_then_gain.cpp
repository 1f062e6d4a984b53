#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::round_then_gain {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in.first(1), out);
    if (in.size() < 2) return;
    for_each_element(out[0], [&](auto i, auto j) {
      set_element(out[0], i, j, element(out[0], i, j) * element(in[1], 0, j));
    });
  };
}

}  // namespace

Defect defect() {
  return {
      .statement =
          "RMSNorm rounds to the dtype before it multiplies by the gain, and again after it",
      .fact = "16.75 instead of 16.8125 in bfloat16",
      .refuted_by = {"norm.rms"},
      .plant =
          [](const Subject& subject) { return subject.with("", "rms_norm", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::round_then_gain
