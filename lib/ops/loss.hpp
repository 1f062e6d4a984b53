#pragma once

#include <rootdk/lib/matrix.hpp>

#include <cstdint>
#include <span>

namespace rootdk {

/// y = (z − max z) − ln Σ exp(z − max z), row by row.
///
/// @param z logits [n, m], finite
/// @param y log-probabilities [n, m]
template <class T>
void log_softmax(ConstMatrixRef<T> z, MatrixRef<T> y);

/// dz_i = dy_i − p_i Σ_j dy_j.
///
/// For the winner the same is written w (1 − p) − p Σ_{j≠winner} dy_j with 1 − p summed from the
/// other probabilities, so that nothing cancels when p is almost one-hot.
template <class T>
void log_softmax_backward(ConstMatrixRef<T> z, ConstMatrixRef<T> dy, MatrixRef<T> dz);

/// Mean over the rows of −ln softmax(z)[label].
///
/// @param z logits [n, m], finite
/// @param labels class of each row [n], 0 ≤ label < m
/// @throws std::invalid_argument if a label is missing or none of the classes
template <class T>
T cross_entropy(ConstMatrixRef<T> z, std::span<const std::int64_t> labels);

/// dz = (p − onehot(label)) dloss/n, with p − 1 at the label summed from the other probabilities.
template <class T>
void cross_entropy_backward(ConstMatrixRef<T> z, std::span<const std::int64_t> labels,
                            const T& dloss, MatrixRef<T> dz);

/// y = x + g · branch.
template <class T>
void residual(ConstMatrixRef<T> x, ConstMatrixRef<T> branch, double gain, MatrixRef<T> y);

/// dx = dy, dbranch = g · dy.
template <class T>
void residual_backward(ConstMatrixRef<T> dy, double gain, MatrixRef<T> dx, MatrixRef<T> dbranch);

}  // namespace rootdk
