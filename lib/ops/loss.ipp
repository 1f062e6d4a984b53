#pragma once

#include <rootdk/lib/ops/loss.hpp>
#include <rootdk/lib/ops/softmax.ipp>
#include <rootdk/lib/scalar.hpp>

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace rootdk {
namespace detail {

/// ln Σ exp(z − top) of one row; top is its maximum (detail::shift).
template <class T, class Row>
T log_sum(const Row& row, const T& top) {
  using std::exp;
  using std::log;
  T sum(0);
  for (Eigen::Index j = 0; j < row.size(); ++j) sum += T(exp(T(row[j] - top)));
  return T(log(sum));
}

/// 1 − p[at] as the sum of the other entries.
template <class T, class Row>
T others(const Row& p, Eigen::Index at) {
  T sum(0);
  for (Eigen::Index j = 0; j < p.size(); ++j) {
    if (j != at) sum += p[j];
  }
  return sum;
}

inline Eigen::Index label_of(std::span<const std::int64_t> labels, Eigen::Index row,
                             Eigen::Index classes) {
  if (static_cast<std::size_t>(row) >= labels.size()) {
    throw std::invalid_argument(fmt::format("cross_entropy: row {} has no label", row));
  }
  const std::int64_t label = labels[static_cast<std::size_t>(row)];
  if (label < 0 || label >= classes) {
    throw std::invalid_argument(
        fmt::format("cross_entropy: label {} is none of {} classes", label, classes));
  }
  return label;
}

}  // namespace detail

template <class T>
void log_softmax(ConstMatrixRef<T> z, MatrixRef<T> y) {
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    const T top = detail::shift(z(i, detail::argmax(z.row(i))));
    const T sum = detail::log_sum<T>(z.row(i), top);
    for (Eigen::Index j = 0; j < z.cols(); ++j) y(i, j) = (z(i, j) - top) - sum;
  }
}

template <class T>
void log_softmax_backward(ConstMatrixRef<T> z, ConstMatrixRef<T> dy, MatrixRef<T> dz) {
  Matrix<T> p(z.rows(), z.cols());
  softmax<T>(z, p);
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    const Eigen::Index winner = detail::argmax(p.row(i));
    const T rest = detail::others<T>(dy.row(i), winner);
    const T total = rest + dy(i, winner);
    for (Eigen::Index j = 0; j < z.cols(); ++j) {
      dz(i, j) = j == winner ? T(dy(i, j) * detail::others<T>(p.row(i), j) - p(i, j) * rest)
                             : T(dy(i, j) - p(i, j) * total);
    }
  }
}

template <class T>
T cross_entropy(ConstMatrixRef<T> z, std::span<const std::int64_t> labels) {
  T loss(0);
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    const T top = detail::shift(z(i, detail::argmax(z.row(i))));
    const Eigen::Index label = detail::label_of(labels, i, z.cols());
    loss += detail::log_sum<T>(z.row(i), top) - (z(i, label) - top);
  }
  return T(loss / number<T>(z.rows()));
}

template <class T>
void cross_entropy_backward(ConstMatrixRef<T> z, std::span<const std::int64_t> labels,
                            const T& dloss, MatrixRef<T> dz) {
  Matrix<T> p(z.rows(), z.cols());
  softmax<T>(z, p);
  const T each = dloss / number<T>(z.rows());
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    const Eigen::Index label = detail::label_of(labels, i, z.cols());
    for (Eigen::Index j = 0; j < z.cols(); ++j) {
      dz(i, j) = j == label ? T(-detail::others<T>(p.row(i), j) * each) : T(p(i, j) * each);
    }
  }
}

template <class T>
void residual(ConstMatrixRef<T> x, ConstMatrixRef<T> branch, double gain, MatrixRef<T> y) {
  y = x + static_cast<T>(gain) * branch;
}

template <class T>
void residual_backward(ConstMatrixRef<T> dy, double gain, MatrixRef<T> dx, MatrixRef<T> dbranch) {
  dx = dy;
  dbranch = static_cast<T>(gain) * dy;
}

}  // namespace rootdk
