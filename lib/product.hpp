#pragma once

#include <rootdk/lib/matrix.hpp>

#include <cstdint>
#include <type_traits>

namespace rootdk {

/// Which of the factors is transposed.
enum class Transposed : std::uint8_t { none, left, right };

/// c = a b, aᵀ b or a bᵀ; c is none of the factors.
///
/// Eigen's blocked product for built-in numbers; plain loops for other scalars, whose arithmetic
/// outweighs any blocking and whose blocked kernels would be slow to compile.
template <class T, Transposed transposed = Transposed::none>
void product(ConstMatrixRef<T> a, ConstMatrixRef<T> b, MatrixRef<T> c) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (transposed == Transposed::none) c.noalias() = a * b;
    if constexpr (transposed == Transposed::left) c.noalias() = a.transpose() * b;
    if constexpr (transposed == Transposed::right) c.noalias() = a * b.transpose();
  } else {
    const Eigen::Index inner = transposed == Transposed::left ? a.rows() : a.cols();
    for (Eigen::Index i = 0; i < c.rows(); ++i) {
      for (Eigen::Index j = 0; j < c.cols(); ++j) {
        T sum(0);
        for (Eigen::Index k = 0; k < inner; ++k) {
          const T& left = transposed == Transposed::left ? a(k, i) : a(i, k);
          const T& right = transposed == Transposed::right ? b(j, k) : b(k, j);
          sum += left * right;
        }
        c(i, j) = sum;
      }
    }
  }
}

}  // namespace rootdk
