#pragma once

#include <rootdk/lib/attention/multi_head.hpp>
#include <rootdk/lib/product.hpp>
#include <rootdk/lib/scalars/stored.hpp>

namespace rootdk {
namespace detail {

/// Projected tokens of all heads, and what the heads make of them.
template <class T>
struct Heads {
  Matrix<T> q, k, v, o;
  std::int64_t count;

  Heads(Eigen::Index n, Eigen::Index m, Eigen::Index key_width, Eigen::Index value_width,
        std::int64_t heads)
      : q(n, key_width), k(m, key_width), v(m, value_width), o(n, value_width), count(heads) {}

  auto block(Matrix<T>& all, std::int64_t h) const {
    const Eigen::Index width = all.cols() / count;
    return all.middleCols(h * width, width);
  }
};

template <class T>
Heads<T> attend(const HeadSettings& head, std::int64_t heads, ConstMatrixRef<T> x,
                ConstMatrixRef<T> context, const Projections<T>& w, std::span<const T> parameters) {
  Heads<T> all(x.rows(), context.rows(), w.query.cols(), w.value.cols(), heads);
  product<T>(x, w.query, all.q);
  product<T>(context, w.key, all.k);
  product<T>(context, w.value, all.v);
  for (Matrix<T>* rows : {&all.q, &all.k, &all.v}) store<T>(*rows);
  Matrix<T> p(x.rows(), context.rows());
  for (std::int64_t h = 0; h < heads; ++h) {
    attention<T>(head, all.block(all.q, h), all.block(all.k, h), all.block(all.v, h), parameters, p,
                 all.block(all.o, h));
  }
  store<T>(all.o);
  return all;
}

/// sum ← sum + aᵀ b.
template <class T>
void add_outer(ConstMatrixRef<T> a, ConstMatrixRef<T> b, MatrixRef<T> sum) {
  Matrix<T> part(sum.rows(), sum.cols());
  product<T, Transposed::left>(a, b, part);
  sum += part;
}

}  // namespace detail

template <class T>
void multi_head(const HeadSettings& head, std::int64_t heads, ConstMatrixRef<T> x,
                ConstMatrixRef<T> context, const Projections<T>& w, std::span<const T> parameters,
                MatrixRef<T> y) {
  const auto all = detail::attend<T>(head, heads, x, context, w, parameters);
  product<T>(all.o, w.output, y);
}

template <class T>
void multi_head_backward(const HeadSettings& head, std::int64_t heads, ConstMatrixRef<T> x,
                         ConstMatrixRef<T> context, const Projections<T>& w,
                         std::span<const T> parameters, ConstMatrixRef<T> dy, MatrixRef<T> dx,
                         MatrixRef<T> dcontext, ProjectionGradients<T>& dw,
                         std::span<T> dparameters) {
  auto all = detail::attend<T>(head, heads, x, context, w, parameters);
  detail::Heads<T> d(x.rows(), context.rows(), w.query.cols(), w.value.cols(), heads);
  product<T, Transposed::right>(dy, w.output, d.o);
  store<T>(d.o);
  detail::add_outer<T>(all.o, dy, dw.output);
  for (std::int64_t h = 0; h < heads; ++h) {
    attention_backward<T>(head, all.block(all.q, h), all.block(all.k, h), all.block(all.v, h),
                          parameters, d.block(d.o, h), d.block(d.q, h), d.block(d.k, h),
                          d.block(d.v, h), dparameters);
  }
  for (Matrix<T>* rows : {&d.q, &d.k, &d.v}) store<T>(*rows);
  detail::add_outer<T>(x, d.q, dw.query);
  detail::add_outer<T>(context, d.k, dw.key);
  detail::add_outer<T>(context, d.v, dw.value);
  product<T, Transposed::right>(d.q, w.query, dx);
  product<T, Transposed::right>(d.k, w.key, dcontext);
  Matrix<T> through_values(context.rows(), context.cols());
  product<T, Transposed::right>(d.v, w.value, through_values);
  dcontext += through_values;
}

}  // namespace rootdk
