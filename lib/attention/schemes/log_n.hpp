#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <array>
#include <cmath>

namespace rootdk::schemes::log_n {

/// S = s ln(n) QKᵀ/√d_k, n the number of keys that the query sees: sharper rows for longer
/// contexts. A query that sees one key has scores of 0, and so has one that sees none: its scores
/// reach nobody, and zeros keep its gradient free of 0 · ∞.
///
/// @source Nakanishi, "Scalable-softmax is superior for attention", 2025
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = s\ln(n)\,QK^\top/\sqrt{d_k})";
  static constexpr std::array s{SchemeParameter{"s", 0.43, 0.25, 1.75}};
  static constexpr std::span<const SchemeParameter> parameters{s};

  /// The factor at s = 1.
  template <class T>
  static T slope(const ScoreContext& at) {
    using std::log;
    using std::sqrt;
    if (at.keys <= 1) return T(0);
    return T(log(T(static_cast<double>(at.keys))) / sqrt(T(static_cast<double>(at.d_k))));
  }
  template <class T>
  static T factor(const ScoreContext& at, std::span<const T> p) {
    return T(p[0] * slope<T>(at));
  }
  template <class T>
  static void factor_slopes(const ScoreContext& at, std::span<const T>, std::span<T> slopes) {
    slopes[0] = slope<T>(at);
  }
  static double variance(const ScoreContext& at, std::span<const double> p) {
    const double root = at.keys <= 1 ? 0 : p[0] * std::log(static_cast<double>(at.keys));
    return root * root;
  }
};

}  // namespace rootdk::schemes::log_n
