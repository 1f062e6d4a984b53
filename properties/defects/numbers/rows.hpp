#pragma once

#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/adjacent_copy.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

// What the planted faults of norms and activations share: they read and write single elements, in
// any dtype.

namespace rootdk::defects::numbers {

using Tensors = std::span<const Tensor>;

template <class F>
void for_each_element(const Tensor& t, F&& f) {
  for (std::int64_t i = 0; i < t.rows(); ++i) {
    for (std::int64_t j = 0; j < t.cols(); ++j) f(i, j);
  }
}

/// Mean of the row, or of its squared deviations from `centre`.
inline double row_mean(const Tensor& x, std::int64_t i) {
  double sum = 0;
  for (std::int64_t j = 0; j < x.cols(); ++j) sum += element(x, i, j);
  return sum / static_cast<double>(x.cols());
}
inline double row_mean_square(const Tensor& x, std::int64_t i, double centre) {
  double sum = 0;
  for (std::int64_t j = 0; j < x.cols(); ++j) sum += std::pow(element(x, i, j) - centre, 2);
  return sum / static_cast<double>(x.cols());
}

/// What a norm divides by, squared and without ε: the mean square (rms_norm: inputs x, γ), or the
/// variance (layer_norm: x, γ, β).
inline double statistic(Tensors in, bool layer, std::int64_t i) {
  return row_mean_square(in[0], i, layer ? row_mean(in[0], i) : 0);
}

/// y ← β + factor (y − β), row i of a norm's output; RMSNorm has no β.
inline void rescale(Tensors in, const Tensor& y, bool layer, std::int64_t i, double factor) {
  for (std::int64_t j = 0; j < y.cols(); ++j) {
    const double beta = layer ? element(in[2], 0, j) : 0;
    set_element(y, i, j, beta + factor * (element(y, i, j) - beta));
  }
}

/// Wraps a pass of both norms; `wrap` is told which of them it wraps.
inline Subject with_norms(const Subject& subject, Pass pass, Kernel (*wrap)(Kernel, bool layer)) {
  return subject.with("", "rms_norm", pass, [wrap](Kernel k) { return wrap(std::move(k), false); })
      .with("", "layer_norm", pass, [wrap](Kernel k) { return wrap(std::move(k), true); });
}

/// The backward pass of an operation of one input: dx = dy f′(x).
inline Kernel with_slope(double (*slope)(double)) {
  return [slope](const Attributes&, Tensors in, Tensors out) {
    for_each_element(out[0], [&](auto i, auto j) {
      set_element(out[0], i, j, element(in[1], i, j) * slope(element(in[0], i, j)));
    });
  };
}

}  // namespace rootdk::defects::numbers
