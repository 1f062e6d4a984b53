#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <array>
#include <cmath>

namespace rootdk::schemes::soft_cap {

/// c² E tanh²(x/c), x = q·k/√d_k of standard normal rows.
double variance(std::int64_t d_k, double c);

/// S = c tanh(QKᵀ/(c√d_k)): below c, and nearly QKᵀ/√d_k where that is small.
///
/// @source Gemma team, "Gemma 2", 2024, section 2
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = c\tanh(QK^\top/(c\sqrt{d_k})))";
  static constexpr std::array c{SchemeParameter{"c", 50.0, 1.0, 8.0}};
  static constexpr std::span<const SchemeParameter> parameters{c};
  static constexpr int cap = 0;

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    return T(T(1) / sqrt(T(static_cast<double>(at.d_k))));
  }
  static double variance(const ScoreContext& at, std::span<const double> p) {
    return soft_cap::variance(at.d_k, p[0]);
  }
  static double bound(const ScoreContext&, std::span<const double> p) { return p[0]; }
};

}  // namespace rootdk::schemes::soft_cap
