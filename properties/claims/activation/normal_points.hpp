#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace rootdk::claims {

/// A fixed rule for E f(z), z ~ N(0, 1), which is one call of a kernel: midpoints of cells of 1/8.
///
/// The error of the midpoint rule for an f that is analytic in |Im z| ≤ 1 is below
/// 2 e^(−16π) max|f φ| < 1e−20 max|f|, and what lies beyond |z| = 9 weighs 2e−19; a jump at 0 falls
/// between two points of equal weight. The points are exact in every dtype.
struct NormalPoints {
  std::vector<double> at;
  std::vector<long double> weight;
};

inline NormalPoints normal_points() {
  NormalPoints rule;
  for (int k = -72; k < 72; ++k) {
    const double z = (2 * k + 1) / 16.0;
    rule.at.push_back(z);
    rule.weight.push_back(std::exp(-0.5L * z * z) /
                          (8 * std::sqrt(2 * std::numbers::pi_v<long double>)));
  }
  return rule;
}

/// Σ weight · value², in extended precision, so that its own rounding counts for nothing.
inline double mean_square(const NormalPoints& rule, std::span<const double> values) {
  long double sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j) sum += rule.weight[j] * values[j] * values[j];
  return static_cast<double>(sum);
}

}  // namespace rootdk::claims
