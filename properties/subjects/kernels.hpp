#pragma once

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/lib/model/transformer_block.hpp>
#include <rootdk/lib/ops/activation.hpp>
#include <rootdk/lib/ops/linear.hpp>
#include <rootdk/lib/ops/loss.hpp>
#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/ops/softmax.hpp>
#include <rootdk/properties/subject.hpp>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The library's templated operations as kernels over plain tensors, for one scalar type.

namespace rootdk::kernels {

using Tensors = std::span<const Tensor>;

inline void require_adjacent(const Tensor& t) {
  if (t.stride[3] != 1 && t.shape[3] > 1) {
    throw std::invalid_argument(
        fmt::format("library: columns are {} scalars apart, must be adjacent", t.stride[3]));
  }
}

/// One matrix of a tensor, as Eigen sees it.
template <class T>
auto view(const Tensor& tensor, std::int64_t batch = 0, std::int64_t head = 0) {
  require_adjacent(tensor);
  T* data = static_cast<T*>(tensor.data) + batch * tensor.stride[0] + head * tensor.stride[1];
  return Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>(data, tensor.rows(), tensor.cols(),
                                                        Eigen::OuterStride<>(tensor.stride[2]));
}

/// A tensor of one row, as a vector; empty where the tensor is absent.
template <class T>
auto vector(Tensors tensors, std::size_t index) {
  T* data = index < tensors.size() ? static_cast<T*>(tensors[index].data) : nullptr;
  return Eigen::Map<Vector<T>>(data, data != nullptr ? tensors[index].cols() : 0);
}

template <class T>
std::span<T> scalars(Tensors tensors, std::size_t index) {
  if (index >= tensors.size()) return {};
  return {static_cast<T*>(tensors[index].data), static_cast<std::size_t>(tensors[index].cols())};
}

/// f(batch, head) for each matrix of the tensor.
template <class F>
void for_each_matrix(const Tensor& tensor, F&& f) {
  for (std::int64_t b = 0; b < tensor.shape[0]; ++b) {
    for (std::int64_t h = 0; h < tensor.shape[1]; ++h) f(b, h);
  }
}

inline HeadSettings head_settings(const Attributes& a, std::int64_t d_k, std::int64_t batch) {
  HeadSettings head;
  head.scheme = a.scheme;
  head.context = {.d_k = d_k,
                  .d_model = a.d_model > 0 ? a.d_model : a.heads * d_k,
                  .layer = a.layer,
                  .keys = 1};
  head.mask.causal = a.causal;
  if (!a.key_lengths.empty()) {
    head.mask.key_length = a.key_lengths[static_cast<std::size_t>(batch)];
  }
  head.epsilon = a.epsilon;
  return head;
}

inline HeadSettings head_settings(const Attributes& a, const Tensor& q, std::int64_t batch) {
  return head_settings(a, q.cols(), batch);
}

/// Sets tensors to zero, for gradients that are summed over a batch.
template <class T>
void clear(Tensors tensors) {
  for (const Tensor& tensor : tensors) {
    for_each_matrix(tensor, [&](auto b, auto h) { view<T>(tensor, b, h).setZero(); });
  }
}

template <class T>
void linear_forward(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    linear<T>(view<T>(in[0], b, h), view<T>(in[1]), vector<T>(in, 2), view<T>(out[0], b, h));
  });
}

/// in: x, w, (b), dy; out: dx, dw, (db), the last two summed over the batch.
template <class T>
void linear_gradient(const Attributes&, Tensors in, Tensors out) {
  clear<T>(out.subspan(1));
  Matrix<T> dw(in[1].rows(), in[1].cols());
  Vector<T> db(out.size() > 2 ? out[2].cols() : 0);
  for_each_matrix(in[0], [&](auto b, auto h) {
    linear_backward<T>(view<T>(in[0], b, h), view<T>(in[1]), view<T>(in.back(), b, h),
                       view<T>(out[0], b, h), dw, db);
    view<T>(out[1]) += dw;
    if (db.size() > 0) vector<T>(out, 2) += db;
  });
}

template <class T>
void softmax_forward(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(in[0],
                  [&](auto b, auto h) { softmax<T>(view<T>(in[0], b, h), view<T>(out[0], b, h)); });
}

template <class T>
void softmax_gradient(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    Matrix<T> p(in[0].rows(), in[0].cols());
    softmax<T>(view<T>(in[0], b, h), p);
    softmax_backward<T>(p, view<T>(in[1], b, h), view<T>(out[0], b, h));
  });
}

/// in: z, dy; out: dz.
template <class T>
void log_softmax_gradient(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    log_softmax_backward<T>(view<T>(in[0], b, h), view<T>(in[1], b, h), view<T>(out[0], b, h));
  });
}

template <class T>
void log_softmax_forward(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(
      in[0], [&](auto b, auto h) { log_softmax<T>(view<T>(in[0], b, h), view<T>(out[0], b, h)); });
}

template <class T>
void cross_entropy_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    view<T>(out[0], b, h)(0, 0) = cross_entropy<T>(view<T>(in[0], b, h), a.labels);
  });
}

template <class T>
void cross_entropy_gradient(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    cross_entropy_backward<T>(view<T>(in[0], b, h), a.labels, view<T>(in[1], b, h)(0, 0),
                              view<T>(out[0], b, h));
  });
}

template <class T>
void residual_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    residual<T>(view<T>(in[0], b, h), view<T>(in[1], b, h), a.gain, view<T>(out[0], b, h));
  });
}

template <class T>
void residual_gradient(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    residual_backward<T>(view<T>(in[2], b, h), a.gain, view<T>(out[0], b, h),
                         view<T>(out[1], b, h));
  });
}

template <class T>
void rms_norm_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    rms_norm<T>(view<T>(in[0], b, h), vector<T>(in, 1), a.epsilon, view<T>(out[0], b, h));
  });
}

/// in: x, γ, dy; out: dx, dγ summed over the batch.
template <class T>
void rms_norm_gradient(const Attributes& a, Tensors in, Tensors out) {
  clear<T>(out.subspan(1));
  Vector<T> dgamma(out.size() > 1 ? out[1].cols() : 0);
  for_each_matrix(in[0], [&](auto b, auto h) {
    rms_norm_backward<T>(view<T>(in[0], b, h), vector<T>(in, 1), a.epsilon,
                         view<T>(in.back(), b, h), view<T>(out[0], b, h), dgamma);
    if (dgamma.size() > 0) vector<T>(out, 1) += dgamma;
  });
}

template <class T>
void layer_norm_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    layer_norm<T>(view<T>(in[0], b, h), vector<T>(in, 1), vector<T>(in, 2), a.epsilon,
                  view<T>(out[0], b, h));
  });
}

/// in: x, γ, β, dy; out: dx, dγ, dβ summed over the batch.
template <class T>
void layer_norm_gradient(const Attributes& a, Tensors in, Tensors out) {
  clear<T>(out.subspan(1));
  Vector<T> dgamma(out.size() > 1 ? out[1].cols() : 0);
  Vector<T> dbeta(out.size() > 2 ? out[2].cols() : 0);
  for_each_matrix(in[0], [&](auto b, auto h) {
    layer_norm_backward<T>(view<T>(in[0], b, h), vector<T>(in, 1), a.epsilon,
                           view<T>(in.back(), b, h), view<T>(out[0], b, h), dgamma, dbeta);
    if (dgamma.size() > 0) vector<T>(out, 1) += dgamma;
    if (dbeta.size() > 0) vector<T>(out, 2) += dbeta;
  });
}

template <class T>
void scores_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    scores<T>(head_settings(a, in[0], b), view<T>(in[0], b, h), view<T>(in[1], b, h),
              scalars<T>(in, 2), view<T>(out[0], b, h));
  });
}

/// in: q, k, (parameters), ds; out: dq, dk, (dparameters).
template <class T>
void scores_gradient(const Attributes& a, Tensors in, Tensors out) {
  const Tensors inputs = in.first(in.size() - 1);
  const std::span<T> dparameters = scalars<T>(out, 2);
  std::fill(dparameters.begin(), dparameters.end(), T(0));
  for_each_matrix(in[0], [&](auto b, auto h) {
    scores_backward<T>(head_settings(a, in[0], b), view<T>(in[0], b, h), view<T>(in[1], b, h),
                       scalars<T>(inputs, 2), view<T>(in.back(), b, h), view<T>(out[0], b, h),
                       view<T>(out[1], b, h), dparameters);
  });
}

template <class T>
void attention_forward(const Attributes& a, Tensors in, Tensors out) {
  Matrix<T> p(in[0].rows(), in[1].rows());
  for_each_matrix(in[0], [&](auto b, auto h) {
    attention<T>(head_settings(a, in[0], b), view<T>(in[0], b, h), view<T>(in[1], b, h),
                 view<T>(in[2], b, h), scalars<T>(in, 3), p, view<T>(out[0], b, h));
  });
}

/// in: q, k, v, (parameters), do; out: dq, dk, dv, (dparameters).
template <class T>
void attention_gradient(const Attributes& a, Tensors in, Tensors out) {
  const Tensors inputs = in.first(in.size() - 1);
  const std::span<T> dparameters = scalars<T>(out, 3);
  std::fill(dparameters.begin(), dparameters.end(), T(0));
  for_each_matrix(in[0], [&](auto b, auto h) {
    attention_backward<T>(head_settings(a, in[0], b), view<T>(in[0], b, h), view<T>(in[1], b, h),
                          view<T>(in[2], b, h), scalars<T>(inputs, 3), view<T>(in.back(), b, h),
                          view<T>(out[0], b, h), view<T>(out[1], b, h), view<T>(out[2], b, h),
                          dparameters);
  });
}

template <class T>
Projections<T> projections(Tensors in, std::size_t first) {
  return {view<T>(in[first]), view<T>(in[first + 1]), view<T>(in[first + 2]),
          view<T>(in[first + 3])};
}

template <class T>
ProjectionGradients<T> projection_gradients(Tensors out, std::size_t first) {
  return {view<T>(out[first]), view<T>(out[first + 1]), view<T>(out[first + 2]),
          view<T>(out[first + 3])};
}

/// in: x, context, W_Q, W_K, W_V, W_O, (parameters).
template <class T>
void multi_head_forward(const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    multi_head<T>(head_settings(a, in[2].cols() / a.heads, b), a.heads, view<T>(in[0], b, h),
                  view<T>(in[1], b, h), projections<T>(in, 2), scalars<T>(in, 6),
                  view<T>(out[0], b, h));
  });
}

/// in: the inputs, dy; out: a gradient each, those of the weights summed over the batch.
template <class T>
void multi_head_gradient(const Attributes& a, Tensors in, Tensors out) {
  const Tensors inputs = in.first(in.size() - 1);
  clear<T>(out.subspan(2));
  auto dw = projection_gradients<T>(out, 2);
  for_each_matrix(in[0], [&](auto b, auto h) {
    multi_head_backward<T>(head_settings(a, in[2].cols() / a.heads, b), a.heads,
                           view<T>(in[0], b, h), view<T>(in[1], b, h), projections<T>(in, 2),
                           scalars<T>(inputs, 6), view<T>(in.back(), b, h), view<T>(out[0], b, h),
                           view<T>(out[1], b, h), dw, scalars<T>(out, 6));
  });
}

inline BlockSettings block_settings(const Attributes& a, NormPlace place, Tensors in,
                                    std::int64_t batch) {
  return {.head = head_settings(a, in[2].cols() / a.heads, batch),
          .heads = a.heads,
          .norm_epsilon = a.epsilon,
          .place = place,
          .activation = Activation::silu};
}

/// Of the inputs x, γ₁, W_Q, W_K, W_V, W_O, γ₂, W_in, W_out, (parameters).
template <class T>
BlockWeights<T> block_weights(Tensors in) {
  return {vector<T>(in, 1), projections<T>(in, 2), vector<T>(in, 6),
          view<T>(in[7]),   view<T>(in[8]),        scalars<T>(in, 9)};
}

template <class T>
void block_forward(NormPlace place, const Attributes& a, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    transformer_block<T>(block_settings(a, place, in, b), view<T>(in[0], b, h),
                         block_weights<T>(in), view<T>(out[0], b, h));
  });
}

template <class T>
void block_gradient(NormPlace place, const Attributes& a, Tensors in, Tensors out) {
  const Tensors inputs = in.first(in.size() - 1);
  clear<T>(out.subspan(1));
  BlockGradients<T> dw{vector<T>(out, 1), projection_gradients<T>(out, 2),
                       vector<T>(out, 6), view<T>(out[7]),
                       view<T>(out[8]),   scalars<T>(out, 9)};
  for_each_matrix(in[0], [&](auto b, auto h) {
    transformer_block_backward<T>(block_settings(a, place, in, b), view<T>(in[0], b, h),
                                  block_weights<T>(inputs), view<T>(in.back(), b, h),
                                  view<T>(out[0], b, h), dw);
  });
}

/// Adds the kernels of all differentiable operations for the scalar T.
template <class T>
void add_operations(Subject& subject, Dtype dtype) {
  const auto add = [&](const std::string& op, Kernel forward, Kernel backward) {
    subject.set({op, Pass::forward, dtype}, std::move(forward));
    subject.set({op, Pass::backward, dtype}, std::move(backward));
  };
  add("linear", linear_forward<T>, linear_gradient<T>);
  add("softmax", softmax_forward<T>, softmax_gradient<T>);
  add("log_softmax", log_softmax_forward<T>, log_softmax_gradient<T>);
  add("cross_entropy", cross_entropy_forward<T>, cross_entropy_gradient<T>);
  add("residual", residual_forward<T>, residual_gradient<T>);
  add("rms_norm", rms_norm_forward<T>, rms_norm_gradient<T>);
  add("layer_norm", layer_norm_forward<T>, layer_norm_gradient<T>);
  add("scores", scores_forward<T>, scores_gradient<T>);
  add("attention", attention_forward<T>, attention_gradient<T>);
  add("multi_head", multi_head_forward<T>, multi_head_gradient<T>);
  for (const auto& [op, place] : {std::pair("prenorm_block", NormPlace::before),
                                  std::pair("postnorm_block", NormPlace::after)}) {
    add(
        op,
        [place](const Attributes& a, Tensors in, Tensors out) {
          block_forward<T>(place, a, in, out);
        },
        [place](const Attributes& a, Tensors in, Tensors out) {
          block_gradient<T>(place, a, in, out);
        });
  }
  for (const NamedActivation& f : activations()) {
    add(
        std::string(f.name),
        [kind = f.kind](const Attributes& a, Tensors in, Tensors out) {
          for_each_matrix(in[0], [&](auto b, auto h) {
            activation<T>(kind, a.slope, view<T>(in[0], b, h), view<T>(out[0], b, h));
          });
        },
        [kind = f.kind](const Attributes& a, Tensors in, Tensors out) {
          for_each_matrix(in[0], [&](auto b, auto h) {
            activation_backward<T>(kind, a.slope, view<T>(in[0], b, h), view<T>(in[1], b, h),
                                   view<T>(out[0], b, h));
          });
        });
  }
}

}  // namespace rootdk::kernels
