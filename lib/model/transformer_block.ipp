#pragma once

#include <rootdk/lib/attention/multi_head.ipp>
#include <rootdk/lib/model/transformer_block.hpp>
#include <rootdk/lib/ops/activation.hpp>
#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/product.hpp>
#include <rootdk/lib/scalars/stored.hpp>

namespace rootdk {
namespace detail {

template <class T>
struct Feed {
  Matrix<T> before, after;  // the activation [n, D_hidden]
};

/// y = f(x W_in) W_out.
template <class T>
Feed<T> feed_forward(const BlockSettings& settings, ConstMatrixRef<T> x, const BlockWeights<T>& w,
                     MatrixRef<T> y) {
  Feed<T> feed{Matrix<T>(x.rows(), w.feed_in.cols()), Matrix<T>(x.rows(), w.feed_in.cols())};
  product<T>(x, w.feed_in, feed.before);
  store<T>(feed.before);
  activation<T>(settings.activation, 0, feed.before, feed.after);
  store<T>(feed.after);
  product<T>(feed.after, w.feed_out, y);
  return feed;
}

template <class T>
void feed_forward_backward(const BlockSettings& settings, ConstMatrixRef<T> x,
                           const BlockWeights<T>& w, const Feed<T>& feed, ConstMatrixRef<T> dy,
                           MatrixRef<T> dx, BlockGradients<T>& dw) {
  add_outer<T>(feed.after, dy, dw.feed_out);
  Matrix<T> dafter(x.rows(), w.feed_in.cols());
  product<T, Transposed::right>(dy, w.feed_out, dafter);
  store<T>(dafter);
  activation_backward<T>(settings.activation, 0, feed.before, dafter, dafter);
  store<T>(dafter);
  add_outer<T>(x, dafter, dw.feed_in);
  product<T, Transposed::right>(dafter, w.feed_in, dx);
  store<T>(dx);
}

template <class T>
void add_norm_backward(ConstMatrixRef<T> x, ConstVectorRef<T> gamma, double epsilon,
                       ConstMatrixRef<T> dy, MatrixRef<T> dx, VectorRef<T> dgamma) {
  Vector<T> part(dgamma.size());
  rms_norm_backward<T>(x, gamma, epsilon, dy, dx, part);
  store<T>(dx);
  dgamma += part;
}

template <class T>
void self_attention_backward(const BlockSettings& s, ConstMatrixRef<T> x, const BlockWeights<T>& w,
                             ConstMatrixRef<T> dy, MatrixRef<T> dx, BlockGradients<T>& dw) {
  Matrix<T> dcontext(x.rows(), x.cols());
  multi_head_backward<T>(s.head, s.heads, x, x, w.projections, w.parameters, dy, dx, dcontext,
                         dw.projections, dw.parameters);
  dx += dcontext;
  store<T>(dx);
}

/// What the backward pass needs: the inputs of the norms and of the branches, in the order of the
/// forward pass.
template <class T>
struct BlockTrace {
  Matrix<T> first;   // N₁(x), or x + A(x)
  Matrix<T> middle;  // h
  Matrix<T> second;  // N₂(h), or h + F(h)
  Feed<T> feed;
};

template <class T>
BlockTrace<T> run_block(const BlockSettings& s, ConstMatrixRef<T> x, const BlockWeights<T>& w,
                        MatrixRef<T> y) {
  const Matrix<T> blank(x.rows(), x.cols());
  BlockTrace<T> t{blank, blank, blank, {}};
  Matrix<T> branch = blank;
  if (s.place == NormPlace::before) {
    rms_norm<T>(x, w.attention_gain, s.norm_epsilon, t.first);
    store<T>(t.first);
    multi_head<T>(s.head, s.heads, t.first, t.first, w.projections, w.parameters, branch);
    t.middle = x + branch;
    store<T>(t.middle);
    rms_norm<T>(t.middle, w.feed_gain, s.norm_epsilon, t.second);
    store<T>(t.second);
    t.feed = feed_forward<T>(s, t.second, w, branch);
    y = t.middle + branch;
  } else {
    multi_head<T>(s.head, s.heads, x, x, w.projections, w.parameters, branch);
    t.first = x + branch;
    store<T>(t.first);
    rms_norm<T>(t.first, w.attention_gain, s.norm_epsilon, t.middle);
    store<T>(t.middle);
    t.feed = feed_forward<T>(s, t.middle, w, branch);
    t.second = t.middle + branch;
    store<T>(t.second);
    rms_norm<T>(t.second, w.feed_gain, s.norm_epsilon, y);
  }
  return t;
}

}  // namespace detail

template <class T>
void transformer_block(const BlockSettings& settings, ConstMatrixRef<T> x, const BlockWeights<T>& w,
                       MatrixRef<T> y) {
  detail::run_block<T>(settings, x, w, y);
}

template <class T>
void transformer_block_backward(const BlockSettings& s, ConstMatrixRef<T> x,
                                const BlockWeights<T>& w, ConstMatrixRef<T> dy, MatrixRef<T> dx,
                                BlockGradients<T>& dw) {
  Matrix<T> ignored(x.rows(), x.cols());
  const auto t = detail::run_block<T>(s, x, w, ignored);
  Matrix<T> outer = dy;
  Matrix<T> inner(x.rows(), x.cols());
  Matrix<T> through(x.rows(), x.cols());
  if (s.place == NormPlace::before) {
    detail::feed_forward_backward<T>(s, t.second, w, t.feed, outer, inner, dw);
    detail::add_norm_backward<T>(t.middle, w.feed_gain, s.norm_epsilon, inner, through,
                                 dw.feed_gain);
    outer += through;
    store<T>(outer);
    detail::self_attention_backward<T>(s, t.first, w, outer, inner, dw);
    detail::add_norm_backward<T>(x, w.attention_gain, s.norm_epsilon, inner, through,
                                 dw.attention_gain);
  } else {
    detail::add_norm_backward<T>(t.second, w.feed_gain, s.norm_epsilon, dy, outer, dw.feed_gain);
    detail::feed_forward_backward<T>(s, t.middle, w, t.feed, outer, inner, dw);
    inner += outer;
    store<T>(inner);
    detail::add_norm_backward<T>(t.first, w.attention_gain, s.norm_epsilon, inner, outer,
                                 dw.attention_gain);
    detail::self_attention_backward<T>(s, x, w, outer, through, dw);
  }
  dx = outer + through;
}

}  // namespace rootdk
