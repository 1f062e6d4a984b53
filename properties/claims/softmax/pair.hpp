#pragma once

#include <rootdk/properties/claims/softmax/moments.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>

namespace rootdk::claims::softmax {

/// p(1 − p) of two keys whose logits differ by x: σ′(x) = 1/(4 cosh²(x/2)), for large x too.
inline double logistic_slope(double x) {
  const double e = std::exp(-std::abs(x));
  return e / ((1 + e) * (1 + e));
}

/// E σ′(sZ)^power, Z ~ N(0, 1).
inline stats::Integral slope_moment(double s, int power) {
  return stats::normal_expectation(
      [&](double z) { return std::pow(logistic_slope(s * z), power); });
}

/// Moments of p(1 − p) when the logits of two keys differ by N(0, gap²).
inline const Moments& slope_moments(double gap) {
  static std::map<double, Moments> known;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto [entry, fresh] = known.try_emplace(gap);
  if (fresh) {
    entry->second = moments_of({slope_moment(gap, 1).value, slope_moment(gap, 2).value,
                                slope_moment(gap, 3).value, slope_moment(gap, 4).value});
  }
  return entry->second;
}

/// E f(R), R² ~ χ²(d): the length of a standard normal row.
inline stats::Integral length_expectation(double d, const std::function<double(double)>& f) {
  const double centre = std::sqrt(d);
  const double log_scale = (d / 2 - 1) * std::log(2.0) + stats::log_gamma(d / 2);
  // R − √d has tails below those of N(0, 1).
  return stats::integrate(
      [&](double r) { return f(r) * std::exp((d - 1) * std::log(r) - r * r / 2 - log_scale); },
      std::max(1e-12, centre - 9), centre + 9);
}

}  // namespace rootdk::claims::softmax
