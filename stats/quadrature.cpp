#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace rootdk::stats {

Integral integrate(const std::function<double(double)>& f, double low, double high) {
  constexpr unsigned most_splits = 15;
  constexpr double tolerance = 1e-13;
  double error = 0;
  double l1 = 0;
  const double value = boost::math::quadrature::gauss_kronrod<double, 61>::integrate(
      f, low, high, most_splits, tolerance, &error, &l1);
  // The rule's estimate knows nothing of rounding: a few units of ∫|f|.
  return {value, error + 8 * std::numeric_limits<double>::epsilon() * l1};
}

Integral normal_expectation(const std::function<double(double)>& f, std::span<const double> kinks) {
  constexpr double end = 40;
  // Cuts at ±8 keep the density's narrow peak within pieces of its own width.
  std::vector<double> cuts{-end, -8};
  cuts.insert(cuts.end(), kinks.begin(), kinks.end());
  cuts.insert(cuts.end(), {8, end});
  const auto weighted = [&](double z) {
    return f(z) * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  };
  Integral sum;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Integral piece = integrate(weighted, cuts[i], cuts[i + 1]);
    sum.value += piece.value;
    sum.error += piece.error;
  }
  return sum;
}

Integral norm_expectation(const std::function<double(double)>& f, double d) {
  const double log_constant = (1 - d / 2) * std::numbers::ln2 - log_gamma(d / 2);
  const auto weighted = [&](double r) {
    return f(r) * std::exp((d - 1) * std::log(r) - r * r / 2 + log_constant);
  };
  const double middle = std::sqrt(d);
  const Integral below = integrate(weighted, std::max(0.0, middle - 12), middle);
  const Integral above = integrate(weighted, middle, middle + 12);
  return {below.value + above.value, below.error + above.error};
}

}  // namespace rootdk::stats
