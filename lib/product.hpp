#pragma once

#include <rootdk/lib/matrix.hpp>

#include <cstdint>
#include <type_traits>

namespace rootdk {

/// Which of the factors is transposed.
enum class Transposed : std::uint8_t { none, left, right };

namespace detail {

template <class T, class Left, class Right>
void plain_product(Eigen::Index inner, Left&& left, Right&& right, MatrixRef<T> c) {
  for (Eigen::Index i = 0; i < c.rows(); ++i) {
    for (Eigen::Index j = 0; j < c.cols(); ++j) {
      T sum(0);
      for (Eigen::Index k = 0; k < inner; ++k) sum += left(i, k) * right(k, j);
      c(i, j) = sum;
    }
  }
}

}  // namespace detail

/// c(i, j) = Σ_k left(i, k) right(k, j). Scalars with a better way to sum products specialise it.
template <class T>
struct ProductOf {
  template <class Left, class Right>
  static void of(Eigen::Index inner, Left&& left, Right&& right, MatrixRef<T> c) {
    detail::plain_product<T>(inner, left, right, c);
  }
};

/// c = a b, aᵀ b or a bᵀ; c is none of the factors.
///
/// Eigen's blocked product for built-in numbers; ProductOf for other scalars, whose arithmetic
/// outweighs any blocking and whose blocked kernels would be slow to compile.
template <class T, Transposed transposed = Transposed::none>
void product(ConstMatrixRef<T> a, ConstMatrixRef<T> b, MatrixRef<T> c) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (transposed == Transposed::none) c.noalias() = a * b;
    if constexpr (transposed == Transposed::left) c.noalias() = a.transpose() * b;
    if constexpr (transposed == Transposed::right) c.noalias() = a * b.transpose();
  } else {
    const Eigen::Index inner = transposed == Transposed::left ? a.rows() : a.cols();
    // A reference, where a const matrix would give a copy.
    const auto at = [](const ConstMatrixRef<T>& m, Eigen::Index row, Eigen::Index col) -> const T& {
      return m.data()[row * m.outerStride() + col];
    };
    ProductOf<T>::of(
        inner,
        [&](Eigen::Index i, Eigen::Index k) -> const T& {
          return at(a, transposed == Transposed::left ? k : i,
                    transposed == Transposed::left ? i : k);
        },
        [&](Eigen::Index k, Eigen::Index j) -> const T& {
          return at(b, transposed == Transposed::right ? j : k,
                    transposed == Transposed::right ? k : j);
        },
        c);
  }
}

}  // namespace rootdk
