#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <cmath>

namespace rootdk::schemes::qk_rms_norm_sqrt_dk {

/// S = √d_k cos(q, k): bounded, and of variance 1.
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula =
      R"(S = \operatorname{rms}(Q)\operatorname{rms}(K)^\top/\sqrt{d_k})";
  static constexpr RowNorm rows = RowNorm::rms;

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    return T(T(1) / sqrt(T(static_cast<double>(at.d_k))));
  }
  static double variance(const ScoreContext&, std::span<const double>) { return 1; }
  static double bound(const ScoreContext& at, std::span<const double>) {
    return std::sqrt(static_cast<double>(at.d_k));
  }
};

}  // namespace rootdk::schemes::qk_rms_norm_sqrt_dk
