#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <cmath>

namespace rootdk::schemes::sqrt_dmodel {

struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = QK^\top/\sqrt{d_{model}})";

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    return T(T(1) / sqrt(T(static_cast<double>(at.d_model))));
  }
  static double variance(const ScoreContext& at, std::span<const double>) {
    return static_cast<double>(at.d_k) / static_cast<double>(at.d_model);
  }
};

}  // namespace rootdk::schemes::sqrt_dmodel
