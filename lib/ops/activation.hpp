#pragma once

#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/ops/activation_names.hpp>

namespace rootdk {

/// f(x), at ±∞ and ±0 the limit, never NaN for a number.
///
/// GELU is the erf form x Φ(x). At 0 ReLU has the slope 0, leaky ReLU the slope a, SELU its left one.
/// A NaN stays one.
///
/// @param slope slope a of leaky ReLU for x < 0; others ignore it
/// @source relu: Nair and Hinton 2010; silu, gelu: Hendrycks and Gimpel 2016; selu: Klambauer 2017
template <class T>
T activate(Activation f, const T& x, double slope);

/// f′(x), with the same limits.
template <class T>
T activation_slope(Activation f, const T& x, double slope);

/// y = f(x), entry by entry.
template <class T>
void activation(Activation f, double slope, ConstMatrixRef<T> x, MatrixRef<T> y);

/// dx = dy ⊙ f′(x).
template <class T>
void activation_backward(Activation f, double slope, ConstMatrixRef<T> x, ConstMatrixRef<T> dy,
                         MatrixRef<T> dx);

}  // namespace rootdk
