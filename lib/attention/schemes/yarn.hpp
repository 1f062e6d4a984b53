#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <array>
#include <cmath>

namespace rootdk::schemes::yarn {

/// A context s times longer: q and k are each multiplied by 0.1 ln s + 1, the scores by its square.
///
/// @source Peng et al., "YaRN: efficient context window extension", 2023, equation 22; s ≥ 1
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = (0.1\ln s + 1)^2\,QK^\top/\sqrt{d_k})";
  static constexpr std::array s{SchemeParameter{"s", 1.0, 2.0, 128.0}};
  static constexpr std::span<const SchemeParameter> parameters{s};

  /// What each of the two vectors is multiplied by.
  template <class T>
  static T temperature(const T& s) {
    using std::log;
    return T(T(log(s)) / T(10) + T(1));
  }
  template <class T>
  static T root(const ScoreContext& at) {
    using std::sqrt;
    return T(sqrt(T(static_cast<double>(at.d_k))));
  }
  template <class T>
  static T factor(const ScoreContext& at, std::span<const T> p) {
    const T t = temperature<T>(p[0]);
    return T(t * t / root<T>(at));
  }
  template <class T>
  static void factor_slopes(const ScoreContext& at, std::span<const T> p, std::span<T> slopes) {
    slopes[0] = T(T(2) * temperature<T>(p[0]) / (T(10) * p[0] * root<T>(at)));
  }
  static double variance(const ScoreContext&, std::span<const double> p) {
    const double t = temperature<double>(p[0]);
    return t * t * t * t;
  }
};

}  // namespace rootdk::schemes::yarn
