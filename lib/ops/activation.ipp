#pragma once

#include <rootdk/lib/ops/activation.hpp>
#include <rootdk/lib/scalar.hpp>

#include <cmath>

namespace rootdk {
namespace detail {

// Klambauer et al., "Self-normalizing neural networks", 2017, the fixed point (0, 1).
inline constexpr double kSeluScale = 1.0507009873554804934;
inline constexpr double kSeluAlpha = 1.6732632423543772848;

template <class T>
T logistic(const T& x) {
  using std::exp;
  // Only exp of a negative number: no overflow, and full relative accuracy in the left tail.
  if (re(x) >= 0) return T(T(1) / (T(1) + exp(T(-x))));
  const T e = exp(x);
  return T(e / (T(1) + e));
}

template <class T>
T normal_cdf(const T& x) {
  using std::erfc;
  using std::sqrt;
  static const T root = T(sqrt(T(2)));
  return T(erfc(T(-x / root)) / T(2));
}

template <class T>
T normal_pdf(const T& x) {
  using std::atan;
  using std::exp;
  using std::sqrt;
  static const T root = T(sqrt(T(T(8) * atan(T(1)))));  // √(2π)
  return T(exp(T(-x * x / T(2))) / root);
}

/// x g where g → 0 faster than x → −∞: the limit is 0 where the product would be −∞ · 0.
template <class T>
T vanishing(const T& x, const T& g) {
  return re(g) == 0 ? T(-0.0) : T(x * g);
}

}  // namespace detail

template <class T>
T activate(Activation f, const T& x, double slope) {
  using std::exp;
  using std::expm1;
  using std::tanh;
  switch (f) {
    case Activation::identity:
      return x;
    case Activation::relu:
      return re(x) <= 0 ? T(0) : x;  // so that a NaN stays one
    case Activation::leaky_relu:
      // A slope of 0 has the limit 0 at −∞, not 0 · ∞.
      return re(x) > 0 ? x : (slope == 0 ? detail::vanishing(x, T(0)) : T(T(slope) * x));
    case Activation::tanh:
      return T(tanh(x));
    case Activation::sigmoid:
      return detail::logistic(x);
    case Activation::silu:
      return re(x) >= 0 ? T(x * detail::logistic(x)) : detail::vanishing(x, detail::logistic(x));
    case Activation::gelu:
      return re(x) >= 0 ? T(x * detail::normal_cdf(x))
                        : detail::vanishing(x, detail::normal_cdf(x));
    case Activation::selu:
      return re(x) > 0 ? T(T(detail::kSeluScale) * x)
                       : T(T(detail::kSeluScale * detail::kSeluAlpha) * expm1(x));
  }
  return x;
}

template <class T>
T activation_slope(Activation f, const T& x, double slope) {
  using std::exp;
  using std::tanh;
  switch (f) {
    case Activation::identity:
      return T(1);
    case Activation::relu:
      return re(x) > 0 ? T(1) : T(0);
    case Activation::leaky_relu:
      return re(x) > 0 ? T(1) : T(slope);
    case Activation::tanh: {
      // 1 − tanh² cancels at the ends; 4 s (1 − s) with s = σ(2x) does not.
      const T s = detail::logistic(T(T(2) * x));
      const T s_mirror = detail::logistic(T(T(-2) * x));
      return T(T(4) * s * s_mirror);
    }
    case Activation::sigmoid:
      return T(detail::logistic(x) * detail::logistic(T(-x)));
    case Activation::silu: {
      const T s = detail::logistic(x);
      const T tail = detail::logistic(T(-x));
      // s (1 + x (1 − s)); at +∞ the product x (1 − s) has the limit 0, at −∞ the whole has.
      if (re(s) == 0) return T(0);
      if (re(tail) == 0) return T(1);
      return T(s * (T(1) + x * tail));
    }
    case Activation::gelu: {
      const T density = detail::normal_pdf(x);
      const T mass = detail::normal_cdf(x);
      return re(density) == 0 ? mass : T(mass + x * density);
    }
    case Activation::selu:
      return re(x) > 0 ? T(detail::kSeluScale)
                       : T(T(detail::kSeluScale * detail::kSeluAlpha) * exp(x));
  }
  return T(1);
}

template <class T>
void activation(Activation f, double slope, ConstMatrixRef<T> x, MatrixRef<T> y) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index j = 0; j < x.cols(); ++j) y(i, j) = activate<T>(f, x(i, j), slope);
  }
}

template <class T>
void activation_backward(Activation f, double slope, ConstMatrixRef<T> x, ConstMatrixRef<T> dy,
                         MatrixRef<T> dx) {
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      dx(i, j) = dy(i, j) * activation_slope<T>(f, x(i, j), slope);
    }
  }
}

}  // namespace rootdk
