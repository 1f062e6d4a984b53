#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <cmath>

namespace rootdk::schemes::qk_layer_norm {

/// LayerNormed rows, without gains: they have RMS 1 and lie in the d_k − 1 dimensions of mean 0,
/// where the cosine of two random rows has mean square 1/(d_k − 1). At d_k = 1 all scores are 0.
///
/// @source Dehghani et al., "Scaling vision transformers to 22 billion parameters", 2023, section 2
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula =
      R"(S = \operatorname{LN}(Q)\operatorname{LN}(K)^\top/\sqrt{d_k})";
  static constexpr RowNorm rows = RowNorm::layer;

  template <class T>
  static T factor(const ScoreContext& at, std::span<const T>) {
    using std::sqrt;
    return T(T(1) / sqrt(T(static_cast<double>(at.d_k))));
  }
  static double variance(const ScoreContext& at, std::span<const double>) {
    const auto d = static_cast<double>(at.d_k);
    return d > 1 ? d / (d - 1) : 0;
  }
  static double bound(const ScoreContext& at, std::span<const double>) {
    return std::sqrt(static_cast<double>(at.d_k));
  }
};

}  // namespace rootdk::schemes::qk_layer_norm
