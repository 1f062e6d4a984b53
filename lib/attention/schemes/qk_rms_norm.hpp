#pragma once

#include <rootdk/lib/attention/scheme.hpp>

namespace rootdk::schemes::qk_rms_norm {

/// Rows of RMS 1, without learnable gains and without a division: S = d_k cos(q, k). The cosine of
/// two independent Gaussian rows has mean square 1/d_k, so that Var(S) = d_k: the norm bounds the
/// scores, it does not remove √d_k.
///
/// @source Henry et al., "Query-key normalization for transformers", 2020, with RMSNorm
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula =
      R"(S = \operatorname{rms}(Q)\operatorname{rms}(K)^\top)";
  static constexpr RowNorm rows = RowNorm::rms;

  template <class T>
  static T factor(const ScoreContext&, std::span<const T>) {
    return T(1);
  }
  static double variance(const ScoreContext& at, std::span<const double>) {
    return static_cast<double>(at.d_k);
  }
  static double bound(const ScoreContext& at, std::span<const double>) {
    return static_cast<double>(at.d_k);
  }
};

}  // namespace rootdk::schemes::qk_rms_norm
