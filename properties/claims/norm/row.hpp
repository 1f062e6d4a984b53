#pragma once

#include <rootdk/properties/block.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string_view>
#include <vector>

// What the claims about norms share. Reference values are computed in extended precision from the
// stored entries, so that their own rounding is far below the roundoff of every dtype under test.

namespace rootdk::claims {

struct RowMoments {
  long double mean = 0;
  long double mean_square = 0;
  long double variance = 0;  ///< of the population
  double largest = 0;        ///< largest absolute value
};

inline RowMoments row_moments(std::span<const double> row) {
  RowMoments m;
  const auto width = static_cast<long double>(row.size());
  for (const double v : row) {
    m.mean += v / width;
    m.mean_square += static_cast<long double>(v) * v / width;
    m.largest = std::max(m.largest, std::abs(v));
  }
  for (const double v : row) m.variance += (v - m.mean) * (v - m.mean) / width;
  return m;
}

/// The i-th row of a matrix of that width.
inline std::span<const double> row_of(std::span<const double> values, std::int64_t i,
                                      std::int64_t width) {
  return values.subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
}

inline double smallest_normal(Dtype dtype) {
  constexpr std::array<double, 4> smallest{0x1p-1022, 0x1p-126, 0x1p-14, 0x1p-126};
  return smallest[static_cast<std::size_t>(dtype)];
}

/// Roundings of the dtype itself when `work` roundings are made in the dtype of the arithmetic:
/// numbers of 16 bits are computed in float and rounded once.
inline double roundings(Dtype dtype, double work) {
  if (dtype == Dtype::f64 || dtype == Dtype::f32) return work;
  return 1 + work * unit_roundoff(Dtype::f32) / unit_roundoff(dtype);
}

/// Gains of random sign with 0.5 ≤ |γ| ≤ 1.5: never 1, where faults of the gain vanish.
inline Tensor random_gains(Block& block, std::string_view role, std::int64_t width,
                           std::optional<Dtype> dtype = {}) {
  const double sd = 0.5 / std::numbers::sqrt3;
  std::vector<double> gains;
  for (const double v : block.values(block.draw(role, "uniform", 1, width, sd, Dtype::f64))) {
    gains.push_back(2 * v + std::copysign(0.5, v));
  }
  return block.row(gains, dtype);
}

/// Rows of the given ones divided by their root mean square, in double, without the subject, and
/// stored in the dtype of the block.
inline Tensor unit_rms_rows(Block& block, const Tensor& x) {
  const auto values = block.values(x);
  const Tensor unit = block.matrix(x.rows(), x.cols());
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const auto row = row_of(values, i, x.cols());
    const double rms = static_cast<double>(std::sqrt(row_moments(row).mean_square));
    for (std::int64_t j = 0; j < x.cols(); ++j) {
      set_element(unit, i, j, row[static_cast<std::size_t>(j)] / rms);
    }
  }
  return unit;
}

/// `count` columns of a matrix from `first` on.
inline Tensor columns(Tensor t, std::int64_t first, std::int64_t count) {
  t.data = static_cast<std::byte*>(t.data) +
           static_cast<std::size_t>(first * t.stride[3]) * size_of(t.dtype);
  t.shape[3] = count;
  return t;
}

}  // namespace rootdk::claims
