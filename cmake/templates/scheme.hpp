#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <limits>

namespace rootdk::schemes::@NAME@ {

/// Not yet stated.
///
/// @source not yet stated
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = QK^\top)";

  template <class T>
  static T factor(const ScoreContext&, std::span<const T>) {
    return T(1);
  }
  /// Not yet stated: no claim on the variance holds until it is.
  static double variance(const ScoreContext&, std::span<const double>) {
    return std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace rootdk::schemes::@NAME@
