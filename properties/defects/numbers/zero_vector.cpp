#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::zero_vector {
namespace {

Kernel wrap(Kernel kernel, bool layer) {
  return [kernel, layer](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    for (std::int64_t i = 0; i < in[0].rows(); ++i) {
      if (statistic(in, layer, i) + a.epsilon > 0) continue;
      for (std::int64_t j = 0; j < in[0].cols(); ++j) {
        set_element(out[0], i, j, std::numeric_limits<double>::quiet_NaN());
      }
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the root of a zero row is clamped after its inverse was taken",
      .fact = "the value is right, the gradient is ∞ · 0 = NaN",
      .refuted_by = {"norm.degenerate"},
      .plant = [](const Subject& subject) { return with_norms(subject, Pass::backward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::zero_vector
