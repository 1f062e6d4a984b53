#pragma once

#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/scalar.hpp>
#include <rootdk/lib/scalars/stored.hpp>

#include <cmath>

namespace rootdk {
namespace detail {

template <class T>
T gain(ConstVectorRef<T> gamma, Eigen::Index j) {
  return gamma.size() > 0 ? gamma[j] : T(1);
}

/// 1/√(mean of squares + ε); 0 where the root is 0, so that a degenerate row gives zeros.
template <class T, class Row>
T inverse_rms(const Row& row, double epsilon) {
  using std::sqrt;
  T squares(0);
  for (Eigen::Index j = 0; j < row.size(); ++j) squares += row[j] * row[j];
  const T mean = squares / number<T>(row.size()) + static_cast<T>(epsilon);
  return re(mean) > 0 ? T(T(1) / sqrt(mean)) : T(0);
}

/// The row less its mean, twice, so that what remains of the mean is of the order of u · sd.
template <class T, class Row>
Vector<T> centred(const Row& row) {
  const T width = number<T>(row.size());
  Vector<T> result = row.transpose();
  double rounded = 0;
  for (int pass = 0; pass < 2; ++pass) {
    T sum(0);
    for (Eigen::Index j = 0; j < result.size(); ++j) sum += result[j];
    // The mean is a stage of the definition: what one pass rounds of it stays in the row.
    const T mean = stored<T>(sum / width, rounded);
    for (Eigen::Index j = 0; j < result.size(); ++j) result[j] -= mean;
    rounded = std::abs(static_cast<double>(re(mean)));
  }
  return result;
}

}  // namespace detail

template <class T>
void rms_norm(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon, MatrixRef<T> y) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const T r = detail::inverse_rms<T>(x.row(i), epsilon);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      y(i, j) = x(i, j) * r * detail::gain<T>(gamma, j);
    }
  }
}

template <class T>
void rms_norm_backward(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon,
                       ConstMatrixRef<T> dy, MatrixRef<T> dx, VectorRef<T> dgamma) {
  const T width = number<T>(x.cols());
  if (dgamma.size() > 0) dgamma.setZero();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const T r = detail::inverse_rms<T>(x.row(i), epsilon);
    T projection(0);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const T unit = stored<T>(x(i, j) * r);
      projection += stored<T>(dy(i, j) * detail::gain<T>(gamma, j)) * unit;
      if (dgamma.size() > 0) dgamma[j] += dy(i, j) * unit;
    }
    const T mean = projection / width;
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      dx(i, j) = r * (dy(i, j) * detail::gain<T>(gamma, j) - stored<T>(x(i, j) * r) * mean);
    }
  }
}

template <class T>
void layer_norm(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, ConstVectorRef<T> beta,
                double epsilon, MatrixRef<T> y) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Vector<T> c = detail::centred<T>(x.row(i));
    const T r = detail::inverse_rms<T>(c, epsilon);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      y(i, j) = c[j] * r * detail::gain<T>(gamma, j);
      if (beta.size() > 0) y(i, j) += beta[j];
    }
  }
}

template <class T>
void layer_norm_backward(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon,
                         ConstMatrixRef<T> dy, MatrixRef<T> dx, VectorRef<T> dgamma,
                         VectorRef<T> dbeta) {
  const T width = number<T>(x.cols());
  if (dgamma.size() > 0) dgamma.setZero();
  if (dbeta.size() > 0) dbeta.setZero();
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Vector<T> c = detail::centred<T>(x.row(i));
    const T r = detail::inverse_rms<T>(c, epsilon);
    T sum(0);
    T projection(0);
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const T unit = stored<T>(c[j] * r);
      const T g = stored<T>(dy(i, j) * detail::gain<T>(gamma, j));
      sum += g;
      projection += g * unit;
      if (dgamma.size() > 0) dgamma[j] += dy(i, j) * unit;
      if (dbeta.size() > 0) dbeta[j] += dy(i, j);
    }
    const T mean_g = sum / width;
    const T mean_gx = projection / width;
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const T g = stored<T>(dy(i, j) * detail::gain<T>(gamma, j));
      dx(i, j) = r * (g - mean_g - stored<T>(c[j] * r) * mean_gx);
    }
  }
}

}  // namespace rootdk
