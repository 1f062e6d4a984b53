#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

namespace rootdk {

/// value + slope · ε with ε² = 0: one forward evaluation gives a directional derivative.
///
/// Comparisons look at the value alone, so that a dual number takes the path of a plain one.
template <class T>
struct Dual {
  T value{};
  T slope{};

  Dual() = default;
  Dual(T v) : value(std::move(v)), slope(0) {}  // NOLINT: a constant is a dual number
  template <class A>
  requires(std::is_arithmetic_v<A> && !std::is_same_v<A, T>) Dual(A v)
      : value(v), slope(0) {}  // NOLINT
  Dual(T v, T d) : value(std::move(v)), slope(std::move(d)) {}

  explicit operator double() const { return static_cast<double>(value); }

  friend Dual operator-(const Dual& a) { return {T(-a.value), T(-a.slope)}; }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return {T(a.value + b.value), T(a.slope + b.slope)};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {T(a.value - b.value), T(a.slope - b.slope)};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {T(a.value * b.value), T(a.slope * b.value + a.value * b.slope)};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T ratio = a.value / b.value;
    return {ratio, T((a.slope - ratio * b.slope) / b.value)};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

  // d f(a) = f′(a) da.

  friend Dual exp(const Dual& a) {
    using std::exp;
    const T v = exp(a.value);
    return {v, T(v * a.slope)};
  }
  friend Dual expm1(const Dual& a) {
    using std::exp;
    using std::expm1;
    return {T(expm1(a.value)), T(T(exp(a.value)) * a.slope)};
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return {T(log(a.value)), T(a.slope / a.value)};
  }
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T v = sqrt(a.value);
    return {v, T(a.slope / (T(2) * v))};
  }
  friend Dual tanh(const Dual& a) {
    using std::exp;
    using std::tanh;
    // 1 − tanh² = 4e/(1 + e)², e = exp(−2|a|), which does not cancel at the ends.
    const T e = exp(T(a.value < 0 ? T(T(2) * a.value) : T(T(-2) * a.value)));
    return {T(tanh(a.value)), T(T(4) * e / ((T(1) + e) * (T(1) + e)) * a.slope)};
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return {T(atan(a.value)), T(a.slope / (T(1) + a.value * a.value))};
  }
  friend Dual erfc(const Dual& a) {
    using std::atan;
    using std::erfc;
    using std::exp;
    using std::sqrt;
    static const T root_pi = T(T(2) * sqrt(T(atan(T(1)))));
    return {T(erfc(a.value)), T(T(-2) * T(exp(T(-a.value * a.value))) / root_pi * a.slope)};
  }
};

template <class T>
T re(const Dual<T>& x) {
  return x.value;
}

}  // namespace rootdk
