#include <rootdk/lib/attention/schemes/soft_cap.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::schemes::soft_cap {
namespace {

/// E tanh²(σZ/c), Z ~ N(0, 1), by the trapezoidal rule.
///
/// The integrand is analytic up to the pole of tanh at |Im z| = πc/(2σ), so the rule's error is of
/// the order of exp(−π² c/(σ h)): the step follows the pole, down from the 1/8 that the Gaussian
/// itself allows.
double capped_square(double sigma_over_c) {
  const double step = std::min(0.125, 0.25 / std::max(1.0, sigma_over_c));
  double weights = 0.5;  // the point z = 0, whose value is 0, counts half on this half line
  double sum = 0;
  for (double z = step; z < 9.5; z += step) {
    const double weight = std::exp(-z * z / 2);
    const double t = std::tanh(sigma_over_c * z);
    weights += weight;
    sum += weight * t * t;
  }
  return sum / weights;
}

}  // namespace

double variance(std::int64_t d_k, double c) {
  // x = σZ, σ² = ‖q‖²/d_k ~ χ²(d_k)/d_k. In t = ln ‖q‖ the density is exp(d t − e^{2t}/2), a peak
  // of width 1/√(2d) at ln √d that the trapezoidal rule sums to rounding as well.
  const auto d = static_cast<double>(d_k);
  const double peak = std::log(d) / 2;
  const auto log_weight = [&](double t) { return d * (t - peak) - (std::exp(2 * t) - d) / 2; };
  const double step = std::min(0.0625, 0.375 / std::sqrt(2 * d));
  double weights = 0;
  double sum = 0;
  for (const double side : {-1.0, 1.0}) {
    for (double k = side < 0 ? 1 : 0;; ++k) {
      const double t = peak + side * k * step;
      const double weight = std::exp(log_weight(t));
      if (weight < 1e-18) break;
      weights += weight;
      sum += weight * capped_square(std::exp(t - peak) / c);
    }
  }
  return c * c * sum / weights;
}

}  // namespace rootdk::schemes::soft_cap
