#pragma once

#include <rootdk/lib/matrix.hpp>

namespace rootdk {

/// p = exp(z − max z)/Σ exp(z − max z), row by row.
///
/// A row of −inf alone (a fully masked one) gives zeros, and zero gradient. An entry of −inf in
/// another row gives exactly 0, as does one so far below the largest that exp underflows.
///
/// @param z logits [n, m], −inf or finite
/// @param p probabilities [n, m]
/// @error ≤ (m + 4 + 2 |z − max z|) u relative, for the entries that do not underflow; checked by
///        softmax.stability
template <class T>
void softmax(ConstMatrixRef<T> z, MatrixRef<T> p);

/// dz = p ⊙ (e − Σ_j p_j e_j), e = δ − δ[argmax p].
///
/// Subtracting the cotangent of the winner first changes nothing in exact arithmetic, since a row
/// of p sums to 1, but removes the cancellation of the textbook form at saturation: when p ≈
/// one-hot, δ_argmax − Σ δp is a difference of equal numbers, and its rounding error swamps a
/// gradient of the size of 1 − max p. Here every term is of that size already.
///
/// @param p probabilities [n, m], as softmax gives them
/// @param dp cotangent of p [n, m]
/// @param dz gradient of the logits [n, m]; exactly 0 where p is 0
template <class T>
void softmax_backward(ConstMatrixRef<T> p, ConstMatrixRef<T> dp, MatrixRef<T> dz);

}  // namespace rootdk
