#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::tail_dropped {
namespace {

constexpr std::int64_t kTile = 64;

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    const std::int64_t kept = in[1].rows() / kTile * kTile;
    if (kept == 0) {
      fill(out[0], 0);
      return;
    }
    std::vector<Tensor> inputs(in.begin(), in.end());
    inputs[0].shape[3] = kept;
    inputs[1].shape[2] = kept;
    kernel(a, inputs, out);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "a linear layer drops the inputs that do not fill a tile of 64",
      .fact = "variance × ⌊n/64⌋ 64/n: nothing is left at n = 63, all is right at n = 64",
      .refuted_by = {"depth.residual_sum", "depth.prenorm_forward", "depth.residual_unnormalised"},
      .plant =
          [](const Subject& subject) { return subject.with("", "linear", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::tail_dropped
