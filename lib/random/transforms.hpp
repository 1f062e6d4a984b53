#pragma once

#include <cstdint>

namespace rootdk {

// One random 64-bit word to one value, for a dtype of p significand bits. Defined, finite and
// strictly inside the support for every word, 0 and 2⁶⁴ − 1 included; the complement of a word
// gives the opposite value.

/// An odd multiple of 2^−(p−1) in (−1, 1), by the p − 1 high bits of the word.
///
/// @param digits significand bits p of the dtype, in [2, 53]
/// @return value in [−1 + 2^−(p−1), 1 − 2^−(p−1)], exact in the dtype
/// @throws std::invalid_argument if digits is outside its range
double uniform_from_word(std::uint64_t word, int digits);

/// The normal quantile √2 erf⁻¹(u) of that uniform value; |value| ≤ √2 erf⁻¹(1 − 2^−(p−1)): 8.1 in
/// double, 5.3 in float.
///
/// @error a few u relative to the value; checked by init.endpoints
double normal_from_word(std::uint64_t word, int digits);

/// The quantile √2 erf⁻¹(u erf(c/√2)) of N(0, 1) cut at ±c, strictly inside ±c.
///
/// @param c half-width, > 0 and at most 4, where the outermost cell is wider than a rounding
double truncated_normal_from_word(std::uint64_t word, int digits, double c);

}  // namespace rootdk
