#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <array>

namespace rootdk::schemes::learnable {

struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = \alpha\,QK^\top)";
  static constexpr std::array alpha{SchemeParameter{"alpha", 1.0, 0.25, 1.75}};
  static constexpr std::span<const SchemeParameter> parameters{alpha};

  template <class T>
  static T factor(const ScoreContext&, std::span<const T> p) {
    return p[0];
  }
  template <class T>
  static void factor_slopes(const ScoreContext&, std::span<const T>, std::span<T> slopes) {
    slopes[0] = T(1);
  }
  static double variance(const ScoreContext& at, std::span<const double> p) {
    return p[0] * p[0] * static_cast<double>(at.d_k);
  }
};

}  // namespace rootdk::schemes::learnable
