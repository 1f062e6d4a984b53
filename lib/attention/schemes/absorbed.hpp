#pragma once

#include <rootdk/lib/attention/scheme.hpp>

namespace rootdk::schemes::absorbed {

/// S = (x W_Q′)(x W_K)ᵀ without a division: W_Q′ has the variance 1/(n_in d_k), so that the entries
/// of Q′ have the variance 1/d_k. The premise on Q is part of the scheme.
///
/// @source Raffel et al., "Exploring the limits of transfer learning", 2020 (T5): its
/// initialisation
struct Scheme : SchemeDefaults {
  static constexpr std::string_view formula = R"(S = (xW_Q')(xW_K)^\top)";
  static constexpr bool scales_query = true;

  template <class T>
  static T factor(const ScoreContext&, std::span<const T>) {
    return T(1);
  }
  static double variance(const ScoreContext&, std::span<const double>) { return 1; }
};

}  // namespace rootdk::schemes::absorbed
