#pragma once

#include <rootdk/lib/attention/scheme.hpp>

namespace rootdk::schemes::none {

struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = QK^\top)";

  template <class T>
  static T factor(const ScoreContext&, std::span<const T>) {
    return T(1);
  }
  static double variance(const ScoreContext& at, std::span<const double>) {
    return static_cast<double>(at.d_k);
  }
};

}  // namespace rootdk::schemes::none
