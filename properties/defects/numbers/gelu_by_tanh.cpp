#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::gelu_by_tanh {
namespace {

/// The slope of ½ x (1 + tanh(√(2/π) (x + 0.044715 x³))).
double slope(double x) {
  const double root = std::sqrt(2 / 3.14159265358979323846);
  const double t = std::tanh(root * (x + 0.044715 * x * x * x));
  if (t * t == 1) return (1 + t) / 2;
  return (1 + t) / 2 + x * (1 - t * t) * root * (1 + 3 * 0.044715 * x * x) / 2;
}

}  // namespace

Defect defect() {
  return {
      .statement = "GELU's backward pass is that of the tanh approximation",
      .fact = "an error of the slope of up to 9e-4, while the value is that of the erf form",
      .refuted_by = {"activation.slope_moment.gelu"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "gelu", Pass::backward,
                                [](const Kernel&) { return with_slope(slope); });
          },
  };
}

}  // namespace rootdk::defects::numbers::gelu_by_tanh
