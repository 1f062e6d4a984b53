#pragma once

#include <rootdk/lib/ops/softmax.hpp>
#include <rootdk/lib/scalar.hpp>
#include <rootdk/lib/scalars/dual.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace rootdk {
namespace detail {

/// Column of the row's largest value, the first of equals.
template <class Row>
Eigen::Index argmax(const Row& row) {
  Eigen::Index best = 0;
  for (Eigen::Index j = 1; j < row.size(); ++j) {
    if (re(row[j]) > re(row[best])) best = j;
  }
  return best;
}

/// Sum of a row's entries in an order that does not depend on where the row lies in memory, as
/// Eigen's sum of plain memory would.
template <class Row>
auto sum(const Row& row) {
  return (row * typename Row::Scalar(1)).sum();
}

/// Column of the largest value of a row of built-in numbers.
template <class Row>
Eigen::Index column_of_largest(const Row& row) {
  const auto top = row.maxCoeff();
  Eigen::Index j = 0;
  while (j + 1 < row.size() && row[j] != top) ++j;
  return j;
}

/// What a row is shifted by, its largest value. The derivative of a shift cancels, so that the value
/// alone is enough.
template <class T>
T shift(const T& top) {
  return T(re(top));
}

/// At 50 digits the derivative is shifted too: in a row close to one-hot the terms of order 1 that
/// would cancel are 0 then, and small derivatives keep their digits.
template <class T>
requires(!std::is_same_v<T, double>) Dual<T> shift(const Dual<T>& top) { return top; }

}  // namespace detail

template <class T>
void softmax(ConstMatrixRef<T> z, MatrixRef<T> p) {
  using std::exp;
  using std::isinf;
  Eigen::Array<T, 1, Eigen::Dynamic> exponentials(z.cols());
  for (Eigen::Index i = 0; i < z.rows(); ++i) {
    T top{};
    if constexpr (std::is_floating_point_v<T>) {
      top = z.row(i).maxCoeff();
    } else {
      top = detail::shift(z(i, detail::argmax(z.row(i))));
    }
    if (isinf(re(top)) && re(top) < 0) {
      p.row(i).setZero();
      continue;
    }
    if constexpr (std::is_floating_point_v<T>) {
      // Eigen's exp gives a subnormal number, not 0, for everything below its range, −inf too.
      const T least = std::log(std::numeric_limits<T>::min());
      p.row(i).array() = z.row(i).array() - top;
      exponentials = p.row(i).array().exp();
      for (Eigen::Index j = 0; j < p.cols(); ++j) {
        p(i, j) = p(i, j) < least ? T(0) : exponentials[j];
      }
    } else {
      for (Eigen::Index j = 0; j < z.cols(); ++j) {
        const bool masked = isinf(re(z(i, j))) && re(z(i, j)) < 0;
        p(i, j) = masked ? T(0) : T(exp(T(z(i, j) - top)));
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      const T scale = T(1) / detail::sum(p.row(i).array());
      p.row(i) *= scale;
    } else {
      const T scale = T(1) / p.row(i).sum();
      p.row(i) *= scale;
    }
  }
}

template <class T>
void softmax_backward(ConstMatrixRef<T> p, ConstMatrixRef<T> dp, MatrixRef<T> dz) {
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto row = p.row(i).array();
      const auto cotangent = dp.row(i).array();
      const T winner = cotangent[detail::column_of_largest(row)];
      const T mean = (row * (cotangent - winner)).sum();
      dz.row(i).array() = row * ((cotangent - winner) - mean);
    } else {
      const T winner = dp(i, detail::argmax(p.row(i)));
      T mean(0);
      for (Eigen::Index j = 0; j < p.cols(); ++j) mean += p(i, j) * (dp(i, j) - winner);
      for (Eigen::Index j = 0; j < p.cols(); ++j) {
        dz(i, j) = p(i, j) * ((dp(i, j) - winner) - mean);
      }
    }
  }
}

}  // namespace rootdk
