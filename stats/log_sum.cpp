#include <rootdk/stats/log_sum.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace rootdk::stats {
namespace {

constexpr double kInnerStep = 0.125;
constexpr int kInnerSteps = 76;  // to ±9.5
constexpr double kOuterStep = 0.0625;
constexpr double kOuterEnd = 45;

struct Inner {
  double lacking = 0;  ///< 1 − φ(t)
  double slope = 0;    ///< −t φ′(t)
};

Inner inner(double log_t, double s) {
  Inner sum;
  for (int k = -kInnerSteps; k <= kInnerSteps; ++k) {
    const double z = kInnerStep * k;
    const double weight = kInnerStep * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double rate = std::exp(log_t + s * z);
    sum.lacking -= weight * std::expm1(-rate);
    sum.slope += weight * rate * std::exp(-rate);
  }
  return sum;
}

}  // namespace

LogSum log_sum_cumulants(double n, double s) {
  if (!(n >= 1) || !(s > 0 && s <= 1.5)) {
    throw std::invalid_argument(fmt::format("log_sum_cumulants: n = {}, s = {}", n, s));
  }
  // Density n φⁿ⁻¹ (−tφ′) of y = ln E − ln S at y = x, about its rough centre −ln n.
  std::vector<std::array<double, 2>> density;
  const double centre = -std::log(n);
  double mean = 0;
  for (double x = -kOuterEnd; x <= kOuterEnd; x += kOuterStep) {
    const Inner at = inner(centre + x, s);
    if (!(at.lacking < 1)) continue;
    const double p = kOuterStep * n * std::exp((n - 1) * std::log1p(-at.lacking)) * at.slope;
    density.push_back({x, p});
    mean += p * x;
  }
  std::array<double, 5> m{};
  for (const auto& [x, p] : density) {
    double power = 1;
    for (double& moment : m) {
      moment += p * power;
      power *= x - mean;
    }
  }
  constexpr double apery = 1.2020569031595942854;
  constexpr double pi = std::numbers::pi;
  return {.mean = -std::numbers::egamma - mean - centre,
          .variance = m[2] - pi * pi / 6,
          .third = -(m[3] + 2 * apery),
          .fourth = m[4] - 3 * m[2] * m[2] - pi * pi * pi * pi / 15};
}

}  // namespace rootdk::stats
