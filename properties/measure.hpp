#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace rootdk {

/// Σ v²
inline double squared_norm(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return sum;
}

/// Smallest and largest |v|; NaN if one of the values is.
struct Magnitudes {
  double least, greatest;
};
inline Magnitudes magnitudes(std::span<const double> values) {
  Magnitudes result{std::abs(values.front()), std::abs(values.front())};
  for (const double v : values) {
    if (std::isnan(v)) return {v, v};
    result.least = std::min(result.least, std::abs(v));
    result.greatest = std::max(result.greatest, std::abs(v));
  }
  return result;
}

}  // namespace rootdk
