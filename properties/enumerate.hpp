#pragma once

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

}  // namespace rootdk
