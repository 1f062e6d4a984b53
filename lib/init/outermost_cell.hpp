#pragma once

#include <rootdk/lib/init/rules.hpp>

namespace rootdk {

/// The numbers of T next to the bound b of an entry: all with |w| from the first number at or beyond
/// b (1 − 2^−(p−2)) on, p the bits of T's significand.
struct OutermostCell {
  double start;
  double probability;  ///< P(|w| ≥ start), the rounding of w to T included
};

/// The outermost cell of a bounded rule, where faulty transforms leave mass.
///
/// @throws std::invalid_argument for a rule without a bound or with dependent entries
template <class T>
OutermostCell outermost_cell(const Initialiser& rule, const InitSettings& settings);

}  // namespace rootdk
