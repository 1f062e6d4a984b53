#pragma once

#include <rootdk/lib/attention/scheme.hpp>

#include <span>
#include <string_view>

namespace rootdk {

/// A scaling scheme as data: what the claims need to know of it.
struct SchemeFacts {
  std::string_view name;
  std::string_view formula;
  RowNorm rows;
  std::span<const SchemeParameter> parameters;
  bool capped;
  bool scales_query;  ///< its premise: entries of Q of variance 1/d_k
  double (*variance)(const ScoreContext&, std::span<const double> parameters);
  double (*bound)(const ScoreContext&, std::span<const double> parameters);
};

/// All schemes, by name.
std::span<const SchemeFacts> all_schemes();

/// The scheme of that name.
///
/// @throws std::invalid_argument if there is none, naming it
const SchemeFacts& scheme(std::string_view name);

}  // namespace rootdk
