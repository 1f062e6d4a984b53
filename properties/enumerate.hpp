#pragma once

#include <rootdk/properties/block.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace rootdk {

/// f(signs) for every pattern of `count` signs ±1, all 2^count of them equally likely: an
/// expectation over a two-point law without sampling error.
template <class F>
void for_each_signs(std::int64_t count, F&& f) {
  std::vector<double> signs(static_cast<std::size_t>(count));
  for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << count); ++pattern) {
    for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = (pattern >> i & 1U) != 0 ? 1 : -1;
    f(std::span<const double>(signs));
  }
}

/// Every vector of a law of integers as one row, all equally likely: an expectation is a mean over
/// rows, and one product of two such matrices holds every pair of vectors.
///
/// @param signs an entry is a sum of that many independent signs ±1: 1 for a two-point law, 2 for
///        a three-point one (−2, 0, 0, 2) of kurtosis 2; its variance is `signs`
/// @return matrix [2^(count·signs), count]
inline Tensor every_vector(Block& block, std::int64_t count, std::int64_t signs) {
  const std::int64_t bits = count * signs;
  const Tensor rows = block.matrix(std::int64_t{1} << bits, count);
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    for (std::int64_t j = 0; j < count; ++j) {
      double value = 0;
      for (std::int64_t b = j * signs; b < (j + 1) * signs; ++b) {
        value += (i >> b & 1) != 0 ? 1 : -1;
      }
      set_element(rows, i, j, value);
    }
  }
  return rows;
}

}  // namespace rootdk
