#pragma once

#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/lib/attention/mask.hpp>
#include <rootdk/lib/attention/scheme.hpp>
#include <rootdk/lib/matrix.hpp>

#include <span>
#include <string_view>

namespace rootdk {

/// Settings of one head.
struct HeadSettings {
  std::string_view scheme = "sqrt_dk";
  ScoreContext context;  ///< its `keys` is set row by row from the mask
  Mask mask;
  double epsilon = 0;  ///< of the row norms, for schemes that have one
};

/// S = cap(factor · N(Q) N(K)ᵀ) of one head, all entries, masked ones too.
///
/// @param q queries [n, d_k]
/// @param k keys [m, d_k]
/// @param parameters of the scheme, in its order
/// @param s scores [n, m]
/// @throws std::invalid_argument if the scheme is unknown or the number of parameters is wrong
template <class T>
void scores(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
            std::span<const T> parameters, MatrixRef<T> s);

/// dQ, dK and the parameters' gradients, summed over queries and keys, from dS. The gradients of
/// the parameters are added to what dparameters holds, so that heads and batches sum up.
template <class T>
void scores_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                     std::span<const T> parameters, ConstMatrixRef<T> ds, MatrixRef<T> dq,
                     MatrixRef<T> dk, std::span<T> dparameters);

/// O = softmax(mask(S)) V of one head. A query that sees no key has zeros in P and O.
///
/// @param v values [m, d_v]
/// @param p probabilities [n, m], kept for the backward pass
/// @param o outputs [n, d_v]
template <class T>
void attention(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
               ConstMatrixRef<T> v, std::span<const T> parameters, MatrixRef<T> p, MatrixRef<T> o);

/// dQ, dK, dV and the parameters' gradients from dO. Masked positions get exactly 0; a query that
/// sees no key contributes nothing.
template <class T>
void attention_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                        ConstMatrixRef<T> v, std::span<const T> parameters, ConstMatrixRef<T> dout,
                        MatrixRef<T> dq, MatrixRef<T> dk, MatrixRef<T> dv,
                        std::span<T> dparameters);

/// The same from the probabilities that the forward pass kept.
template <class T>
void attention_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                        ConstMatrixRef<T> v, std::span<const T> parameters, ConstMatrixRef<T> p,
                        ConstMatrixRef<T> dout, MatrixRef<T> dq, MatrixRef<T> dk, MatrixRef<T> dv,
                        std::span<T> dparameters);

}  // namespace rootdk
