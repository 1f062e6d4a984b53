#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::detached_statistic {
namespace {

Kernel wrap(Kernel kernel, bool layer) {
  return [kernel, layer](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    const Tensor& dy = in[layer ? 3 : 2];
    for (std::int64_t i = 0; i < in[0].rows(); ++i) {
      const double root = std::sqrt(statistic(in, layer, i) + a.epsilon);
      for (std::int64_t j = 0; j < in[0].cols(); ++j) {
        set_element(out[0], i, j, element(dy, i, j) * element(in[1], 0, j) / root);
      }
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "a norm's backward pass takes the root mean square for a constant",
      .fact = "dx = γ dy/RMS: the part along x is not removed, ⟨dx, x⟩ ≠ 0",
      .refuted_by = {"norm.gradient", "depth.postnorm_backward"},
      .plant = [](const Subject& subject) { return with_norms(subject, Pass::backward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::detached_statistic
