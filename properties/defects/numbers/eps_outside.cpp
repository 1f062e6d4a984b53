#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::eps_outside {
namespace {

Kernel wrap(Kernel kernel, bool layer) {
  return [kernel, layer](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    for (std::int64_t i = 0; i < out[0].rows(); ++i) {
      const double v = statistic(in, layer, i);
      const double outside = std::sqrt(v) + a.epsilon;
      if (outside > 0) rescale(in, out[0], layer, i, std::sqrt(v + a.epsilon) / outside);
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "a norm divides by √v + ε where √(v + ε) is meant",
      .fact = "0.9990 instead of 0.7071 at a root mean square of √ε = 1e-3; an error of 5e-7 at 1",
      .refuted_by = {"norm.rms", "norm.layer"},
      .plant = [](const Subject& subject) { return with_norms(subject, Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::eps_outside
