#pragma once

#include <rootdk/lib/attention/scheme.hpp>
#include <rootdk/lib/scalar.hpp>

#include <array>
#include <cmath>

namespace rootdk::schemes::cosine {

/// S = τ cos(q, k), τ = exp(min(log τ, ln 100)). The learned scalar is log τ; beyond ln 100 it has
/// no effect and its gradient is exactly 0.
///
/// @source Liu et al., "Swin transformer V2", 2022, section 3.2; the clamp is of its code
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula =
      R"(S = \tau\,\tilde Q\tilde K^\top,\ \tau = e^{\min(\log\tau,\,\ln 100)})";
  static constexpr RowNorm rows = RowNorm::unit;
  static constexpr std::array log_tau{SchemeParameter{"log_tau", 2.302585092994045684, 0.25, 2.5}};
  static constexpr std::span<const SchemeParameter> parameters{log_tau};

  template <class T>
  static bool clamped(std::span<const T> p) {
    using std::log;
    return re(p[0]) > log(T(100));
  }
  template <class T>
  static T factor(const ScoreContext&, std::span<const T> p) {
    using std::exp;
    return clamped(p) ? T(100) : T(exp(p[0]));
  }
  template <class T>
  static void factor_slopes(const ScoreContext& at, std::span<const T> p, std::span<T> slopes) {
    slopes[0] = clamped(p) ? T(0) : factor<T>(at, p);
  }
  static double variance(const ScoreContext& at, std::span<const double> p) {
    const double tau = factor<double>(at, p);
    return tau * tau / static_cast<double>(at.d_k);
  }
  static double bound(const ScoreContext& at, std::span<const double> p) {
    return factor<double>(at, p);
  }
};

}  // namespace rootdk::schemes::cosine
