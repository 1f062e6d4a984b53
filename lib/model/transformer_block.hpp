#pragma once

#include <rootdk/lib/attention/multi_head.hpp>
#include <rootdk/lib/ops/activation_names.hpp>

#include <cstdint>
#include <span>

namespace rootdk {

/// Where the norm of a branch stands: before it, x + F(N(x)), or after the sum, N(x + F(x)).
enum class NormPlace : std::uint8_t { before, after };

struct BlockSettings {
  HeadSettings head;
  std::int64_t heads = 1;
  double norm_epsilon = 0;  ///< of the two RMS norms
  NormPlace place = NormPlace::before;
  Activation activation = Activation::silu;
};

template <class T>
struct BlockWeights {
  ConstVectorRef<T> attention_gain;  ///< γ of the first norm [D]
  Projections<T> projections;
  ConstVectorRef<T> feed_gain;  ///< γ of the second norm [D]
  ConstMatrixRef<T> feed_in;    ///< [D, D_hidden]
  ConstMatrixRef<T> feed_out;   ///< [D_hidden, D]
  std::span<const T> parameters;
};

template <class T>
struct BlockGradients {
  VectorRef<T> attention_gain;
  ProjectionGradients<T> projections;
  VectorRef<T> feed_gain;
  MatrixRef<T> feed_in, feed_out;
  std::span<T> parameters;
};

/// One transformer block, self-attention and feed-forward, each a residual branch with an RMS norm.
///
/// before: h = x + A(N₁(x)), y = h + F(N₂(h)); after: h = N₁(x + A(x)), y = N₂(h + F(h));
/// F(x) = f(x W_in) W_out.
///
/// @param x, y tokens [n, D]
/// @source Xiong et al., "On layer normalization in the transformer architecture", ICML 2020
template <class T>
void transformer_block(const BlockSettings& settings, ConstMatrixRef<T> x, const BlockWeights<T>& w,
                       MatrixRef<T> y);

/// dx; the gradients of the weights are added to what dw holds, so that batches sum up.
template <class T>
void transformer_block_backward(const BlockSettings& settings, ConstMatrixRef<T> x,
                                const BlockWeights<T>& w, ConstMatrixRef<T> dy, MatrixRef<T> dx,
                                BlockGradients<T>& dw);

}  // namespace rootdk
