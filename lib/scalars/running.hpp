#pragma once

#include <cmath>
#include <limits>

namespace rootdk {

/// A double with a running analysis of its rounding error, to first order, for any unit roundoff u:
/// the error is at most u · bound, and its root-mean-square size is about u · spread where the
/// rounding errors of single operations are independent. Underflow adds at most `flush` times the
/// smallest normal number.
///
/// fl(x ∘ y) = (x ∘ y)(1 + δ), |δ| ≤ u, so that errors propagate by the derivatives and each
/// operation adds |result| of its own.
///
/// @source Wilkinson, "Error analysis revisited", IMA Bulletin 22, 1986; Higham, "Accuracy and
/// stability of numerical algorithms", section 3.3
struct Running {
  double value = 0;
  double bound = 0;
  double spread = 0;
  double flush = 0;

  Running() = default;
  /// A constant of a formula, which a dtype rounds unless it is a short number.
  Running(double v) : value(v) {  // NOLINT: implicit on purpose
    if (static_cast<double>(static_cast<float>(v)) != v) bound = std::abs(v);
    spread = bound;
  }
  Running(double v, double b, double s, double f) : value(v), bound(b), spread(s), flush(f) {}

  static Running exact(double v) { return {v, 0, 0, 0}; }

  explicit operator double() const { return value; }

  friend Running operator-(const Running& a) { return {-a.value, a.bound, a.spread, a.flush}; }
  friend Running operator+(const Running& a, const Running& b) {
    return sum(a, b, a.value + b.value);
  }
  friend Running operator-(const Running& a, const Running& b) {
    return sum(a, b, a.value - b.value);
  }
  friend Running operator*(const Running& a, const Running& b) {
    const double v = a.value * b.value;
    // A product with an exact zero is exact.
    const double own = a.value == 0 || b.value == 0 ? 0 : 1;
    return {v, scaled(a.bound, b.value) + scaled(b.bound, a.value) + std::abs(v),
            rss(scaled(a.spread, b.value), scaled(b.spread, a.value), v),
            scaled(a.flush, b.value) + scaled(b.flush, a.value) + own};
  }
  friend Running operator/(const Running& a, const Running& b) {
    const double v = a.value / b.value;
    const double inverse = 1 / b.value;
    return {v, scaled(a.bound + scaled(b.bound, v), inverse) + std::abs(v),
            rss(scaled(a.spread, inverse), scaled(scaled(b.spread, v), inverse), v),
            scaled(a.flush + scaled(b.flush, v), inverse) + (a.value == 0 ? 0 : 1)};
  }
  Running& operator+=(const Running& b) { return *this = *this + b; }
  Running& operator-=(const Running& b) { return *this = *this - b; }
  Running& operator*=(const Running& b) { return *this = *this * b; }
  Running& operator/=(const Running& b) { return *this = *this / b; }

  friend bool operator==(const Running& a, const Running& b) { return a.value == b.value; }
  friend bool operator<(const Running& a, const Running& b) { return a.value < b.value; }
  friend bool operator>(const Running& a, const Running& b) { return a.value > b.value; }
  friend bool operator<=(const Running& a, const Running& b) { return a.value <= b.value; }
  friend bool operator>=(const Running& a, const Running& b) { return a.value >= b.value; }

  friend Running exp(const Running& a) { return image(a, std::exp(a.value), std::exp(a.value)); }
  friend Running expm1(const Running& a) {
    return image(a, std::expm1(a.value), std::exp(a.value));
  }
  friend Running log(const Running& a) { return image(a, std::log(a.value), 1 / a.value); }
  friend Running sqrt(const Running& a) {
    const double v = std::sqrt(a.value);
    return image(a, v, 0.5 / v);
  }
  friend Running tanh(const Running& a) {
    const double v = std::tanh(a.value);
    return image(a, v, 1 - v * v);
  }
  friend Running atan(const Running& a) {
    return image(a, std::atan(a.value), 1 / (1 + a.value * a.value));
  }
  friend Running erfc(const Running& a) {
    const double root_pi = 2 * std::sqrt(std::atan(1.0));
    return image(a, std::erfc(a.value), -2 * std::exp(-a.value * a.value) / root_pi);
  }

 private:
  /// Elementary functions are good to two units in the last place, u = ½ unit.
  static constexpr double kFunction = 4;

  /// An exact number stays exact beside an infinity.
  static double scaled(double error, double factor) {
    return error == 0 ? 0 : error * std::abs(factor);
  }
  /// Root of the sum of squares, without squares that underflow.
  static double rss(double a, double b, double c) {
    const double top = std::fmax(std::fmax(std::abs(a), std::abs(b)), std::abs(c));
    if (!(top > 0) || std::isinf(top)) return top;
    const double x = a / top;
    const double y = b / top;
    const double z = c / top;
    return top * std::sqrt(x * x + y * y + z * z);
  }
  static Running sum(const Running& a, const Running& b, double v) {
    // Adding an exact zero rounds nothing.
    const double own = a.value == 0 || b.value == 0 ? 0 : std::abs(v);
    return {v, a.bound + b.bound + own, rss(a.spread, b.spread, own), a.flush + b.flush};
  }
  static Running image(const Running& a, double v, double slope) {
    const double own = kFunction * std::abs(v);
    return {v, scaled(a.bound, slope) + own, rss(scaled(a.spread, slope), own, 0),
            scaled(a.flush, slope) + 1};
  }
};

inline double re(const Running& x) { return x.value; }

}  // namespace rootdk
