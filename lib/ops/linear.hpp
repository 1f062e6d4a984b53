#pragma once

#include <rootdk/lib/matrix.hpp>

namespace rootdk {

/// y = x W + b.
///
/// @param x inputs [n, n_in]
/// @param w weights [n_in, n_out]
/// @param b bias [n_out], or empty for none
/// @param y outputs [n, n_out]
template <class T>
void linear(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstVectorRef<T> b, MatrixRef<T> y);

/// dx = dy Wᵀ, dW = xᵀ dy, db = Σ_rows dy. An output of no rows is not computed.
template <class T>
void linear_backward(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstMatrixRef<T> dy,
                     MatrixRef<T> dx, MatrixRef<T> dw, VectorRef<T> db);

}  // namespace rootdk
