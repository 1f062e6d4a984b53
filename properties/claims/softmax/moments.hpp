#pragma once

#include <rootdk/stats/law.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::softmax {

/// What a moment law needs of one value, from E Y, E Y², E Y³, E Y⁴.
struct Moments {
  double mean = 0;
  double sd = 1;
  double skewness = 0;
  double excess = 0;

  double standardise(double y) const { return (y - mean) / sd; }
  stats::Law law() const { return stats::moment(skewness, excess); }
};

inline Moments moments_of(const std::array<double, 4>& raw) {
  const auto [a, b, c, d] = raw;
  const double variance = b - a * a;
  const double sd = std::sqrt(variance);
  const double third = c - 3 * a * b + 2 * a * a * a;
  const double fourth = d - 4 * a * c + 6 * a * a * b - 3 * a * a * a * a;
  return {a, sd, third / (variance * sd), fourth / (variance * variance) - 3};
}

}  // namespace rootdk::claims::softmax
