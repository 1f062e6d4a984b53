#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <array>

namespace rootdk::schemes::mup {

/// Divided by d_k itself: once q and k are aligned by training, q·k grows as d_k and not as √d_k.
/// At initialisation the scores vanish as α/√d_k.
///
/// @source Yang et al., "Tensor programs V", 2022, definition 4.1
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = \alpha\,QK^\top/d_k)";
  static constexpr std::array alpha{SchemeParameter{"alpha", 1.0, 0.25, 7.75}};
  static constexpr std::span<const SchemeParameter> parameters{alpha};

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T> p) {
    return T(p[0] / T(static_cast<double>(at.d_k)));
  }
  template <class T>
  static void factor_slopes(const ScoreContext& at, std::span<const T>, std::span<T> slopes) {
    slopes[0] = T(T(1) / T(static_cast<double>(at.d_k)));
  }
  static double variance(const ScoreContext& at, std::span<const double> p) {
    return p[0] * p[0] / static_cast<double>(at.d_k);
  }
};

}  // namespace rootdk::schemes::mup
