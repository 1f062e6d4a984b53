#pragma once

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/lib/ops/activation.hpp>
#include <rootdk/lib/ops/linear.hpp>
#include <rootdk/lib/ops/norm.hpp>
#include <rootdk/lib/ops/softmax.hpp>
#include <rootdk/properties/subject.hpp>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
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

inline HeadSettings head_settings(const Attributes& a, const Tensor& q, std::int64_t batch) {
  const std::int64_t d_k = q.cols();
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

template <class T>
void linear_forward(const Attributes&, Tensors in, Tensors out) {
  for_each_matrix(in[0], [&](auto b, auto h) {
    linear<T>(view<T>(in[0], b, h), view<T>(in[1]), vector<T>(in, 2), view<T>(out[0], b, h));
  });
}

template <class T>
void linear_gradient(const Attributes&, Tensors in, Tensors out) {
  // in: x, w, (b), dy; out: dx, dw, (db). Only the first matrix of a batch is supported: dW sums.
  const std::size_t dy = in.size() - 1;
  linear_backward<T>(view<T>(in[0]), view<T>(in[1]), view<T>(in[dy]), view<T>(out[0]),
                     view<T>(out[1]), vector<T>(out, 2));
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

template <class T>
void rms_norm_forward(const Attributes& a, Tensors in, Tensors out) {
  rms_norm<T>(view<T>(in[0]), vector<T>(in, 1), a.epsilon, view<T>(out[0]));
}

template <class T>
void rms_norm_gradient(const Attributes& a, Tensors in, Tensors out) {
  rms_norm_backward<T>(view<T>(in[0]), vector<T>(in, 1), a.epsilon, view<T>(in[2]), view<T>(out[0]),
                       vector<T>(out, 1));
}

template <class T>
void layer_norm_forward(const Attributes& a, Tensors in, Tensors out) {
  layer_norm<T>(view<T>(in[0]), vector<T>(in, 1), vector<T>(in, 2), a.epsilon, view<T>(out[0]));
}

template <class T>
void layer_norm_gradient(const Attributes& a, Tensors in, Tensors out) {
  layer_norm_backward<T>(view<T>(in[0]), vector<T>(in, 1), a.epsilon, view<T>(in[3]),
                         view<T>(out[0]), vector<T>(out, 1), vector<T>(out, 2));
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

/// Adds the kernels of all differentiable operations for the scalar T.
template <class T>
void add_operations(Subject& subject, Dtype dtype) {
  const auto add = [&](const std::string& op, Kernel forward, Kernel backward) {
    subject.set({op, Pass::forward, dtype}, std::move(forward));
    subject.set({op, Pass::backward, dtype}, std::move(backward));
  };
  add("linear", linear_forward<T>, linear_gradient<T>);
  add("softmax", softmax_forward<T>, softmax_gradient<T>);
  add("rms_norm", rms_norm_forward<T>, rms_norm_gradient<T>);
  add("layer_norm", layer_norm_forward<T>, layer_norm_gradient<T>);
  add("scores", scores_forward<T>, scores_gradient<T>);
  add("attention", attention_forward<T>, attention_gradient<T>);
  for (const NamedActivation& f : activations()) {
    add(
        std::string(f.name),
        [kind = f.kind](const Attributes& a, Tensors in, Tensors out) {
          activation<T>(kind, a.slope, view<T>(in[0]), view<T>(out[0]));
        },
        [kind = f.kind](const Attributes& a, Tensors in, Tensors out) {
          activation_backward<T>(kind, a.slope, view<T>(in[0]), view<T>(in[1]), view<T>(out[0]));
        });
  }
}

}  // namespace rootdk::kernels
