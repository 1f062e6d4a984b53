#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::sample_variance {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    const auto d = static_cast<double>(in[0].cols());
    for (std::int64_t i = 0; d > 1 && i < out[0].rows(); ++i) {
      const double v = statistic(in, true, i);
      const double sample = v * d / (d - 1) + a.epsilon;
      if (sample > 0) rescale(in, out[0], true, i, std::sqrt((v + a.epsilon) / sample));
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "LayerNorm takes the sample variance, with d − 1 below",
      .fact = "too small by 1/(2d): 0.2 % at d = 256",
      .refuted_by = {"norm.layer"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "layer_norm", Pass::forward, wrap);
          },
  };
}

}  // namespace rootdk::defects::numbers::sample_variance
