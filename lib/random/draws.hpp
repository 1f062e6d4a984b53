#pragma once

#include <rootdk/lib/random/stream.hpp>

#include <span>

namespace rootdk {

/// Half-width of the truncation, in standard deviations of the parent normal law.
inline constexpr double kTruncation = 2.0;

/// Fills with independent N(mean, sd²) values.
///
/// Numerics: a ziggurat in double, one 64-bit word a draw in 98.8 % of cases, then one rounding to T.
/// The output is a pure function of the stream; one range filled is the same as its parts filled one
/// after the other.
///
/// @param out values [any]
/// @param sd standard deviation, ≥ 0
template <class T>
void fill_normal(Stream& stream, std::span<T> out, double mean = 0, double sd = 1);

/// The uniform draw on (−1, 1) made from one 64-bit word: an odd multiple of 2^−(p−1), p the bits
/// of T's significand, so that it is symmetric, never 0 and never ±1, whatever the word.
///
/// @return value in [−1 + 2^−(p−1), 1 − 2^−(p−1)]
template <class T>
T symmetric_uniform(std::uint64_t word);

/// Fills with independent uniform values, strictly inside ±half_width.
///
/// Numerics: 1 − 2^−(p−1) is two units in the last place below 1, so that its product with the
/// half-width cannot round to the half-width itself.
template <class T>
void fill_uniform(Stream& stream, std::span<T> out, double half_width);

/// Fills with independent values of a normal law of standard deviation parent_sd cut at
/// ±kTruncation·parent_sd, by drawing again what falls outside: never by clipping, which would put
/// mass on the bound, nor by an inverse cdf, whose end points round to the bound in float.
template <class T>
void fill_truncated_normal(Stream& stream, std::span<T> out, double parent_sd);

}  // namespace rootdk
