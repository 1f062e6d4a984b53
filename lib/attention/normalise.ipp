#pragma once

#include <rootdk/lib/attention/scheme.hpp>
#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/scalar.hpp>

#include <cmath>

namespace rootdk::detail {

/// Rows of length 1 are rows of RMS 1 divided by √d: unit(x) = rms(x; ε/d)/√d.
template <class T>
T unit_scale(Eigen::Index width) {
  using std::sqrt;
  return T(T(1) / sqrt(number<T>(width)));
}

template <class T>
void normalise_rows(RowNorm norm, double epsilon, ConstMatrixRef<T> x, MatrixRef<T> y) {
  const Vector<T> none(0);
  switch (norm) {
    case RowNorm::none:
      y = x;
      break;
    case RowNorm::rms:
      rms_norm<T>(x, none, epsilon, y);
      break;
    case RowNorm::layer:
      layer_norm<T>(x, none, none, epsilon, y);
      break;
    case RowNorm::unit:
      rms_norm<T>(x, none, epsilon / static_cast<double>(x.cols()), y);
      y *= unit_scale<T>(x.cols());
      break;
  }
}

template <class T>
void normalise_rows_backward(RowNorm norm, double epsilon, ConstMatrixRef<T> x,
                             ConstMatrixRef<T> dy, MatrixRef<T> dx) {
  const Vector<T> none(0);
  Vector<T> ignored(0);
  switch (norm) {
    case RowNorm::none:
      dx = dy;
      break;
    case RowNorm::rms:
      rms_norm_backward<T>(x, none, epsilon, dy, dx, ignored);
      break;
    case RowNorm::layer:
      layer_norm_backward<T>(x, none, epsilon, dy, dx, ignored, ignored);
      break;
    case RowNorm::unit:
      rms_norm_backward<T>(x, none, epsilon / static_cast<double>(x.cols()), dy, dx, ignored);
      dx *= unit_scale<T>(x.cols());
      break;
  }
}

}  // namespace rootdk::detail
