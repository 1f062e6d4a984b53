#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <cmath>

namespace rootdk::schemes::sqrt_dk {

/// @source Vaswani et al., "Attention is all you need", 2017, section 3.2.1
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = QK^\top/\sqrt{d_k})";

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    return T(T(1) / sqrt(T(static_cast<double>(at.d_k))));
  }
  static double variance(const ScoreContext&, std::span<const double>) { return 1; }
};

}  // namespace rootdk::schemes::sqrt_dk
