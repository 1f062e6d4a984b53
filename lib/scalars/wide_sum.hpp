#pragma once

#include <rootdk/lib/scalars/wide.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace rootdk::detail {

/// A finite number of 50 digits as ±bits · 2^(exponent − 167); bits of three words, 0 for zero.
struct WideTerm {
  std::array<std::uint64_t, 3> bits{};
  std::int32_t exponent = 0;
  bool negative = false;
};

/// @return false for infinities and NaN, of which there is no such term
bool split(const Real50& x, WideTerm& term);

/// Σ a_k b_k, rounded once: products are added as whole numbers of 384 bits, of which those below
/// 2^−350 of the largest product are dropped.
///
/// @error (1/2 + 2^−180 n) u Σ|a_k b_k|; with no cancellation half a unit in the last place
Real50 sum_of_products(std::span<const WideTerm> a, std::span<const WideTerm> b);

}  // namespace rootdk::detail
