#pragma once

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/attention/normalise.ipp>
#include <rootdk/lib/ops/activation.hpp>
#include <rootdk/lib/ops/softmax.hpp>
#include <rootdk/lib/product.hpp>
#include <rootdk/lib/scalar.hpp>
#include <rootdk/lib/scalars/stored.hpp>
#include <rootdk/lib/scratch.hpp>

#include <rootdk/generated/schemes.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace rootdk {
namespace detail {

/// Calls f with a value of the scheme's type; the list of types is generated from the folder.
template <class F>
void with_scheme(std::string_view name, std::size_t parameters, F&& f) {
  bool found = false;
  for_each_scheme([&]<class Scheme>(std::string_view candidate, Scheme scheme) {
    if (candidate != name) return;
    found = true;
    if (Scheme::parameters.size() != parameters) {
      throw std::invalid_argument(fmt::format("scores: scheme '{}' has {} parameters, given {}",
                                              name, Scheme::parameters.size(), parameters));
    }
    f(scheme);
  });
  if (!found) throw std::invalid_argument(fmt::format("scores: there is no scheme '{}'", name));
}

template <class Scheme, class T>
T row_factor(const HeadSettings& head, std::span<const T> parameters, Eigen::Index row,
             Eigen::Index queries, Eigen::Index keys) {
  ScoreContext at = head.context;
  at.keys = head.mask.visible(row, queries, keys);
  return Scheme::template factor<T>(at, parameters);
}

/// Calls f with the rows as the product sees them.
template <class Scheme, class T, class F>
void with_normed(const HeadSettings& head, ConstMatrixRef<T> x, F&& f) {
  if constexpr (Scheme::rows == RowNorm::none) {
    f(x);
  } else {
    Scratch<T> normed(x.rows(), x.cols());
    normalise_rows<T>(Scheme::rows, head.epsilon, x, normed);
    store<T>(normed);
    f(ConstMatrixRef<T>(normed));
  }
}

template <class Scheme, class T>
void scores_of(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
               std::span<const T> parameters, MatrixRef<T> s) {
  using std::tanh;
  with_normed<Scheme, T>(head, q, [&](ConstMatrixRef<T> queries) {
    with_normed<Scheme, T>(
        head, k, [&](ConstMatrixRef<T> keys) { product<T, Transposed::right>(queries, keys, s); });
  });
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    s.row(i) *= row_factor<Scheme, T>(head, parameters, i, s.rows(), s.cols());
    if constexpr (Scheme::cap >= 0) {
      const T c = parameters[static_cast<std::size_t>(Scheme::cap)];
      for (Eigen::Index j = 0; j < s.cols(); ++j) s(i, j) = c * T(tanh(T(s(i, j) / c)));
    }
  }
}

/// tanh r − r (1 − tanh² r) = (½ sinh 2r − r)/cosh² r, given 1/cosh² r. Near 0 the difference is of
/// order r³: there its series of terms of one sign, ½ Σ (2r)^{2k+1}/(2k+1)!, k ≥ 1.
template <class T>
T cap_slope(const T& r, const T& t, const T& inverse) {
  if (re(r) > 0.5 || re(r) < -0.5) return T(t - r * inverse);
  // The first omitted term is below the roundoff of double, or of 50 digits, at |2r| = 1.
  constexpr int terms = std::is_floating_point_v<T> ? 9 : 22;
  const T x = T(2) * r;
  T sum(1);
  for (int k = terms; k > 1; --k) sum = T(T(1) + x * x / number<T>(2 * k * (2 * k + 1)) * sum);
  return T(x * x * x / T(12) * sum * inverse);
}

/// The cotangent of the scores before the cap, and the gradient of c itself.
template <class T>
T uncap(const T& c, const T& before, const T& upstream, T& dc) {
  using std::tanh;
  // d/dS c tanh(S/c) = 1 − t², d/dc = t − (S/c)(1 − t²), t = tanh(S/c).
  const T ratio = before / c;
  const T slope = activation_slope<T>(Activation::tanh, ratio, 0);
  dc += upstream * cap_slope<T>(ratio, T(tanh(ratio)), slope);
  return T(upstream * slope);
}

/// Turns dS into the cotangent of the products of the (normalised) rows, and adds the gradients of
/// the parameters.
template <class Scheme, class T>
void unscale(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
             std::span<const T> parameters, MatrixRef<T> ds, std::span<T> dparameters) {
  constexpr std::size_t count = Scheme::parameters.size();
  // The products themselves matter to the gradients of parameters alone.
  Scratch<T> raw(count > 0 ? ds.rows() : 0, ds.cols());
  if constexpr (count > 0) product<T, Transposed::right>(q, k, raw);
  std::vector<T> slopes(count, T(0));
  for (Eigen::Index i = 0; i < ds.rows(); ++i) {
    ScoreContext at = head.context;
    at.keys = head.mask.visible(i, ds.rows(), ds.cols());
    const T factor = Scheme::template factor<T>(at, parameters);
    if constexpr (Scheme::cap >= 0) {
      constexpr auto cap = static_cast<std::size_t>(Scheme::cap);
      for (Eigen::Index j = 0; j < ds.cols(); ++j) {
        ds(i, j) = uncap<T>(parameters[cap], T(factor * raw(i, j)), ds(i, j), dparameters[cap]);
      }
    }
    if constexpr (count > 0) {
      T dfactor(0);
      for (Eigen::Index j = 0; j < ds.cols(); ++j) dfactor += ds(i, j) * raw(i, j);
      std::fill(slopes.begin(), slopes.end(), T(0));
      Scheme::template factor_slopes<T>(at, parameters, std::span<T>(slopes));
      for (std::size_t p = 0; p < count; ++p) dparameters[p] += dfactor * slopes[p];
    }
    ds.row(i) *= factor;
  }
}

/// dx from the cotangent of the rows that the product sees, which `make` writes.
template <class Scheme, class T, class Make>
void rows_backward(const HeadSettings& head, ConstMatrixRef<T> x, MatrixRef<T> dx, Make&& make) {
  if constexpr (Scheme::rows == RowNorm::none) {
    make(dx);
    store<T>(dx);
  } else {
    Scratch<T> dnormed(x.rows(), x.cols());
    make(MatrixRef<T>(dnormed));
    store<T>(dnormed);
    normalise_rows_backward<T>(Scheme::rows, head.epsilon, x, dnormed, dx);
  }
}

/// @param ds used up
template <class Scheme, class T>
void scores_backward_of(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                        std::span<const T> parameters, MatrixRef<T> ds, MatrixRef<T> dq,
                        MatrixRef<T> dk, std::span<T> dparameters) {
  with_normed<Scheme, T>(head, q, [&](ConstMatrixRef<T> queries) {
    with_normed<Scheme, T>(head, k, [&](ConstMatrixRef<T> keys) {
      unscale<Scheme, T>(head, queries, keys, parameters, ds, dparameters);
      store<T>(ds);
      rows_backward<Scheme, T>(head, q, dq, [&](MatrixRef<T> out) { product<T>(ds, keys, out); });
      rows_backward<Scheme, T>(
          head, k, dk, [&](MatrixRef<T> out) { product<T, Transposed::left>(ds, queries, out); });
    });
  });
}

template <class T>
void hide_masked(const Mask& mask, MatrixRef<T> s) {
  for (Eigen::Index i = 0; i < s.rows(); ++i) {
    for (Eigen::Index j = mask.visible(i, s.rows(), s.cols()); j < s.cols(); ++j) {
      s(i, j) = T(-std::numeric_limits<double>::infinity());
    }
  }
}

/// A rounding of a probability is a change of its score by one unit.
inline constexpr double kOfExponent = 1;

template <class T>
void probabilities(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                   std::span<const T> parameters, MatrixRef<T> p) {
  scores<T>(head, q, k, parameters, p);
  store<T>(p, kOfExponent);
  hide_masked<T>(head.mask, p);
  softmax<T>(p, p);
}

}  // namespace detail

template <class T>
void scores(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
            std::span<const T> parameters, MatrixRef<T> s) {
  detail::with_scheme(head.scheme, parameters.size(), [&]<class Scheme>(Scheme) {
    detail::scores_of<Scheme, T>(head, q, k, parameters, s);
  });
}

template <class T>
void scores_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                     std::span<const T> parameters, ConstMatrixRef<T> ds, MatrixRef<T> dq,
                     MatrixRef<T> dk, std::span<T> dparameters) {
  Scratch<T> used(ds.rows(), ds.cols());
  used = ds;
  detail::with_scheme(head.scheme, parameters.size(), [&]<class Scheme>(Scheme) {
    detail::scores_backward_of<Scheme, T>(head, q, k, parameters, used, dq, dk, dparameters);
  });
}

template <class T>
void attention(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
               ConstMatrixRef<T> v, std::span<const T> parameters, MatrixRef<T> p, MatrixRef<T> o) {
  detail::probabilities<T>(head, q, k, parameters, p);
  product<T>(p, v, o);
}

template <class T>
void attention_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                        ConstMatrixRef<T> v, std::span<const T> parameters, ConstMatrixRef<T> p,
                        ConstMatrixRef<T> dout, MatrixRef<T> dq, MatrixRef<T> dk, MatrixRef<T> dv,
                        std::span<T> dparameters) {
  product<T, Transposed::left>(p, dout, dv);
  Scratch<T> ds(q.rows(), k.rows());
  product<T, Transposed::right>(dout, v, ds);
  store<T>(ds);
  softmax_backward<T>(p, ds, ds);
  store<T>(ds);
  detail::with_scheme(head.scheme, parameters.size(), [&]<class Scheme>(Scheme) {
    detail::scores_backward_of<Scheme, T>(head, q, k, parameters, ds, dq, dk, dparameters);
  });
}

template <class T>
void attention_backward(const HeadSettings& head, ConstMatrixRef<T> q, ConstMatrixRef<T> k,
                        ConstMatrixRef<T> v, std::span<const T> parameters, ConstMatrixRef<T> dout,
                        MatrixRef<T> dq, MatrixRef<T> dk, MatrixRef<T> dv,
                        std::span<T> dparameters) {
  Scratch<T> p(q.rows(), k.rows());
  detail::probabilities<T>(head, q, k, parameters, p);
  attention_backward<T>(head, q, k, v, parameters, p, dout, dq, dk, dv, dparameters);
}

}  // namespace rootdk
