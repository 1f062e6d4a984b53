#pragma once

#include <rootdk/lib/attention/attention.hpp>

#include <cstdint>
#include <span>

namespace rootdk {

/// The four projections of multi-head attention; head h owns the h-th block of columns of the first
/// three and of rows of the last.
template <class T>
struct Projections {
  ConstMatrixRef<T> query;   ///< [D, heads · d_k]
  ConstMatrixRef<T> key;     ///< [D_context, heads · d_k]
  ConstMatrixRef<T> value;   ///< [D_context, heads · d_v]
  ConstMatrixRef<T> output;  ///< [heads · d_v, D_out]
};

template <class T>
struct ProjectionGradients {
  MatrixRef<T> query, key, value, output;
};

/// y = concat_h(attention(x W_Q, c W_K, c W_V)) W_O.
///
/// @param x tokens that ask [n, D]
/// @param context tokens that are asked [m, D_context]; x itself for self-attention
/// @param y [n, D_out]
/// @source Vaswani et al., "Attention is all you need", 2017, section 3.2.2
template <class T>
void multi_head(const HeadSettings& head, std::int64_t heads, ConstMatrixRef<T> x,
                ConstMatrixRef<T> context, const Projections<T>& w, std::span<const T> parameters,
                MatrixRef<T> y);

/// dx and dcontext; the gradients of the projections and of the scheme's parameters are added to
/// what dw and dparameters hold, so that batches sum up. In self-attention the gradient of x is
/// dx + dcontext.
template <class T>
void multi_head_backward(const HeadSettings& head, std::int64_t heads, ConstMatrixRef<T> x,
                         ConstMatrixRef<T> context, const Projections<T>& w,
                         std::span<const T> parameters, ConstMatrixRef<T> dy, MatrixRef<T> dx,
                         MatrixRef<T> dcontext, ProjectionGradients<T>& dw,
                         std::span<T> dparameters);

}  // namespace rootdk
