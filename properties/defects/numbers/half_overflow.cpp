#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::half_overflow {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    if (a.scheme != "sqrt_dk") {
      kernel(a, in, out);
      return;
    }
    Attributes unscaled = a;
    unscaled.scheme = "none";
    kernel(unscaled, in, out);  // the product, rounded to the dtype
    multiply(out[0], 1 / std::sqrt(static_cast<double>(in[0].cols())));
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the product q·k is rounded to the dtype before the scale",
      .fact =
          "32 · 32 · 64 = 65,536 is beyond the largest number of half precision, 65,504; scaled it "
          "is 8,192",
      .refuted_by = {"scaling.half_overflow"},
      .plant =
          [](const Subject& subject) { return subject.with("", "scores", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::half_overflow
