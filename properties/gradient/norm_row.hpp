#pragma once

#include <rootdk/properties/gradient/wrong.hpp>

#include <cmath>

namespace rootdk {

/// What the gradient of a norm's row is made of, for defects that drop a term of it.
struct NormRow {
  double r = 0;         ///< 1/√(v + ε)
  double mean = 0;      ///< of the row, if it is subtracted
  double mean_g = 0;    ///< mean of γ dy
  double mean_gx = 0;   ///< mean of γ dy x̂
  double mean_ggx = 0;  ///< mean of γ² dy x̂
};

inline NormRow norm_row(const WrongBackward& b, bool centred, std::int64_t n, std::int64_t h,
                        std::int64_t i) {
  const Tensor& x = b.in[0];
  const auto d = static_cast<double>(x.cols());
  NormRow row;
  for (std::int64_t j = 0; centred && j < x.cols(); ++j) row.mean += at(x, n, h, i, j) / d;
  double squares = 0;
  for (std::int64_t j = 0; j < x.cols(); ++j) {
    const double c = at(x, n, h, i, j) - row.mean;
    squares += c * c / d;
  }
  row.r = 1 / std::sqrt(squares + b.attributes.epsilon);
  for (std::int64_t j = 0; j < x.cols(); ++j) {
    const double gamma = element(b.in[1], 0, j);
    const double g = gamma * at(b.cotangent(), n, h, i, j) / d;
    const double unit = (at(x, n, h, i, j) - row.mean) * row.r;
    row.mean_g += g;
    row.mean_gx += g * unit;
    row.mean_ggx += gamma * g * unit;
  }
  return row;
}

/// dx ← dx + change(row, x̂), entry by entry.
template <class Change>
void change_norm(const WrongBackward& b, bool centred, Change&& change) {
  for_each_entry(b.out[0], [&](auto n, auto h, auto i, auto j) {
    const NormRow row = norm_row(b, centred, n, h, i);
    const double unit = (at(b.in[0], n, h, i, j) - row.mean) * row.r;
    set(b.out[0], n, h, i, j, at(b.out[0], n, h, i, j) + change(row, unit));
  });
}

}  // namespace rootdk
