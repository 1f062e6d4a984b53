#pragma once

#include <rootdk/lib/matrix.hpp>

namespace rootdk {

/// y = γ ⊙ x/√(ms + ε), ms = mean of x² over the row; ε stands inside the root.
///
/// A zero row gives zeros, also at ε = 0, and a gradient of γ ⊙ dy/√ε, or zeros at ε = 0, where
/// none exists.
///
/// @param x rows [n, d]
/// @param gamma gains [d], or empty for ones
/// @source Zhang, Sennrich, "Root mean square layer normalization", NeurIPS 2019
template <class T>
void rms_norm(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon, MatrixRef<T> y);

/// dx = r (g − x̂ mean(g ⊙ x̂)), g = γ ⊙ dy, r = 1/√(ms + ε), x̂ = r x; dγ = Σ_rows dy ⊙ x̂.
template <class T>
void rms_norm_backward(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon,
                       ConstMatrixRef<T> dy, MatrixRef<T> dx, VectorRef<T> dgamma);

/// y = γ ⊙ (x − mean)/√(v + ε) + β, v = mean of (x − mean)²: the population variance.
///
/// Numerics: two passes, and the mean of the centred row is subtracted once more, so that the error
/// grows with mean/sd only through the rounding of x itself. Never E x² − (E x)².
/// A constant row (and a row of width 1) gives β, a gradient of zeros at ε = 0, and dγ = 0.
///
/// @param x rows [n, d]
/// @param gamma, beta gains and shifts [d], or empty for ones and zeros
/// @source Ba, Kiros, Hinton, "Layer normalization", 2016
template <class T>
void layer_norm(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, ConstVectorRef<T> beta,
                double epsilon, MatrixRef<T> y);

/// dx = r (g − mean g − x̂ mean(g ⊙ x̂)), g = γ ⊙ dy; dγ = Σ_rows dy ⊙ x̂, dβ = Σ_rows dy.
template <class T>
void layer_norm_backward(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon,
                         ConstMatrixRef<T> dy, MatrixRef<T> dx, VectorRef<T> dgamma,
                         VectorRef<T> dbeta);

}  // namespace rootdk
