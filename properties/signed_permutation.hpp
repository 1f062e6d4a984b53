#pragma once

#include <rootdk/properties/block.hpp>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace rootdk {

/// W = factor · (a random permutation matrix with random signs) [n, n]: a layer that multiplies
/// every magnitude by |factor| with one rounding, since all other terms of its sums are 0.
inline Tensor signed_permutation(Block& block, std::string_view role, std::int64_t n,
                                 double factor) {
  Stream stream = block.stream(role);
  std::vector<std::int64_t> place(static_cast<std::size_t>(n));
  std::iota(place.begin(), place.end(), std::int64_t{0});
  for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[stream() % i]);
  const Tensor w = block.matrix(n, n);
  fill(w, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    set_element(w, i, place[static_cast<std::size_t>(i)], (stream() & 1U) != 0 ? factor : -factor);
  }
  return w;
}

}  // namespace rootdk
