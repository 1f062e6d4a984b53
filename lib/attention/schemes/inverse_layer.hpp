#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <cmath>

namespace rootdk::schemes::inverse_layer {

/// Divided once more by the number of the layer, counted from 1, against overflow in fp16.
///
/// @source Karamcheti et al., "Mistral: a journey towards reproducible language model training",
/// 2021
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = QK^\top/((l+1)\sqrt{d_k}))";

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    const T layer = T(static_cast<double>(at.layer + 1));
    return T(T(1) / (layer * sqrt(T(static_cast<double>(at.d_k)))));
  }
  static double variance(const ScoreContext& at, std::span<const double>) {
    const auto layer = static_cast<double>(at.layer + 1);
    return 1 / (layer * layer);
  }
};

}  // namespace rootdk::schemes::inverse_layer
