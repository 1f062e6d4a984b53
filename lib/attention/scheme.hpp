#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace rootdk {

/// What a scaling scheme may depend on besides its learnable parameters.
struct ScoreContext {
  std::int64_t d_k = 1;      ///< width of one head
  std::int64_t d_model = 1;  ///< width of the model, heads · d_k
  std::int64_t layer = 0;    ///< depth of the layer, from 0
  std::int64_t keys = 1;     ///< number of keys that the query sees
};

/// What is done to each row of Q and K before the product.
enum class RowNorm : std::uint8_t { none, rms, layer, unit };

/// A learnable or configured scalar of a scheme.
struct SchemeParameter {
  std::string_view name;
  double initial;  ///< value at the start of training
  double low;      ///< generic values, for tests, lie in [low, high]:
  double high;     ///< never at a point where a defect would vanish
};

/// The defaults that a scheme's own file overrides. A scheme is S = cap(factor · N(Q) N(K)ᵀ).
///
/// One file lib/attention/schemes/NAME.hpp defines rootdk::schemes::NAME::Scheme with
///   formula            LaTeX of S
///   rows               normalisation of the rows of Q and K
///   parameters         its scalars
///   factor<T>          the factor of a query's row of scores
///   factor_slopes<T>   its derivatives with respect to each parameter
///   variance, bound    the exact variance of an entry under the unit premise (independent standard
///                      normal q and k) and a bound of |S|
/// and is thereby registered.
struct SchemeDefaults {
  static constexpr RowNorm rows = RowNorm::none;
  static constexpr std::span<const SchemeParameter> parameters{};
  static constexpr int cap = -1;  ///< index of the parameter c of S ↦ c tanh(S/c), or none
  static constexpr bool scales_query = false;  ///< Q already has entries of variance 1/d_k

  template <class T>
  static void factor_slopes(const ScoreContext&, std::span<const T>, std::span<T>) {}
  static double bound(const ScoreContext&, std::span<const double>) {
    return std::numeric_limits<double>::infinity();
  }
};

}  // namespace rootdk
