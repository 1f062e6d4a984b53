#include <rootdk/properties/subjects/named.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include "attention.h"

// The kernel of ../../kernel within this process. Tensors lie row by row without gaps.

namespace rootdk::subjects::tiled {
namespace {

using Tensors = std::span<const Tensor>;

float factor(const Attributes& a, const Tensor& q, const Tensor* parameter) {
  const auto d = static_cast<double>(q.cols());
  const double model = static_cast<double>(a.d_model > 0 ? a.d_model : a.heads * q.cols());
  if (a.scheme == "none") return 1;
  if (a.scheme == "sqrt_dk") return static_cast<float>(1 / std::sqrt(d));
  if (a.scheme == "sqrt_dmodel") return static_cast<float>(1 / std::sqrt(model));
  if (a.scheme == "learnable") return static_cast<float>(element(*parameter, 0, 0));
  throw NotApplicable("tiled has no scheme " + std::string(a.scheme));
}

float* data(const Tensor& t, std::int64_t b, std::int64_t h) {
  return static_cast<float*>(matrix(t, b, h).data);
}

/// Calls run(head, batch, head's number) for each.
template <class Run>
void each_head(const Attributes& a, const Tensor& q, const Tensor& k, const Tensor* v, float f,
               Run&& run) {
  for (std::int64_t b = 0; b < q.shape[0]; ++b) {
    for (std::int64_t h = 0; h < q.shape[1]; ++h) {
      const auto i = static_cast<std::size_t>(b);
      run(head{.q = data(q, b, h),
               .k = data(k, b, h),
               .v = v != nullptr ? data(*v, b, h) : nullptr,
               .n = q.rows(),
               .m = k.rows(),
               .d = q.cols(),
               .width = v != nullptr ? v->cols() : 0,
               .causal = a.causal ? 1 : 0,
               .length = a.key_lengths.empty() ? k.rows() : a.key_lengths[i],
               .factor = f},
          b, h);
    }
  }
}

void attention(const Attributes& a, Tensors in, Tensors out) {
  const float f = factor(a, in[0], in.size() > 3 ? &in[3] : nullptr);
  each_head(a, in[0], in[1], &in[2], f,
            [&](const head& one, auto b, auto h) { attention_forward(&one, data(out[0], b, h)); });
}

void attention_gradients(const Attributes& a, Tensors in, Tensors out) {
  const float f = factor(a, in[0], in.size() > 4 ? &in[3] : nullptr);
  float of_factor = 0;
  for (const Tensor& gradient : out) fill(gradient, 0);
  each_head(a, in[0], in[1], &in[2], f, [&](const head& one, auto b, auto h) {
    of_factor += attention_backward(&one, data(in.back(), b, h), data(out[0], b, h),
                                    data(out[1], b, h), data(out[2], b, h));
  });
  if (out.size() > 3) set_element(out[3], 0, 0, of_factor);
}

void scores(const Attributes& a, Tensors in, Tensors out) {
  const float f = factor(a, in[0], in.size() > 2 ? &in[2] : nullptr);
  each_head(a, in[0], in[1], nullptr, f,
            [&](const head& one, auto b, auto h) { scores_forward(&one, data(out[0], b, h)); });
}

void scores_gradients(const Attributes& a, Tensors in, Tensors out) {
  const float f = factor(a, in[0], in.size() > 3 ? &in[2] : nullptr);
  float of_factor = 0;
  for (const Tensor& gradient : out) fill(gradient, 0);
  each_head(a, in[0], in[1], nullptr, f, [&](const head& one, auto b, auto h) {
    of_factor +=
        scores_backward(&one, data(in.back(), b, h), data(out[0], b, h), data(out[1], b, h));
  });
  if (out.size() > 2) set_element(out[2], 0, 0, of_factor);
}

/// Calls run(i) with the place of each row of m numbers.
template <class Run>
void each_row(const Tensor& z, Run&& run) {
  for (std::int64_t i = 0; i < z.size(); i += z.cols()) run(i);
}

void softmax(const Attributes&, Tensors in, Tensors out) {
  each_row(in[0], [&](std::int64_t i) {
    softmax_forward(data(in[0], 0, 0) + i, in[0].cols(), data(out[0], 0, 0) + i);
  });
}

void softmax_gradient(const Attributes&, Tensors in, Tensors out) {
  std::vector<float> p(static_cast<std::size_t>(in[0].cols()));
  each_row(in[0], [&](std::int64_t i) {
    softmax_backward(data(in[0], 0, 0) + i, data(in[1], 0, 0) + i, in[0].cols(), p.data(),
                     data(out[0], 0, 0) + i);
  });
}

Subject make() {
  Subject subject("tiled");
  subject.set({"attention", Pass::forward, Dtype::f32}, attention);
  subject.set({"attention", Pass::backward, Dtype::f32}, attention_gradients);
  subject.set({"scores", Pass::forward, Dtype::f32}, scores);
  subject.set({"scores", Pass::backward, Dtype::f32}, scores_gradients);
  subject.set({"softmax", Pass::forward, Dtype::f32}, softmax);
  subject.set({"softmax", Pass::backward, Dtype::f32}, softmax_gradient);
  return subject;
}

}  // namespace

NamedSubject subject() {
  return {.name = {}, .statement = "attention by tiles in float, a kernel in C", .make = make};
}

}  // namespace rootdk::subjects::tiled
