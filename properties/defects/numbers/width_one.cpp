#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::width_one {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    if (in[0].cols() != 1) return;
    double sum = 0;
    for (std::int64_t i = 0; i < in[0].rows(); ++i) sum += element(in[3], i, 0);
    set_element(out[1], 0, 0, sum);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the weight of a LayerNorm of width 1 has a gradient",
      .fact = "Σ dy instead of exactly 0",
      .refuted_by = {"norm.degenerate"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "layer_norm", Pass::backward, wrap);
          },
  };
}

}  // namespace rootdk::defects::numbers::width_one
