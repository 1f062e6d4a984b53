#pragma once

#include <rootdk/lib/random/stream.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rootdk::detail {

/// Layers of equal area under exp(−x²/2) on x ≥ 0: layer i is [0, edge[i]] × [height[i],
/// height[i + 1]], but the lowest, whose part beyond edge[1] = kTail is the tail itself.
struct Ziggurat {
  static constexpr std::size_t layers = 256;
  std::array<double, layers + 1> edge;    ///< falling; edge[layers] = 0
  std::array<double, layers + 1> height;  ///< exp(−edge²/2); height[0] is not used
};
const Ziggurat& ziggurat();

/// A word's layer is its lowest 8 bits; its 53 highest are an odd multiple of 2^−53 in (−1, 1).
inline std::size_t layer_of(std::uint64_t word) { return word & (Ziggurat::layers - 1); }
inline double signed_unit(std::uint64_t word) {
  const std::int64_t odd = 2 * (static_cast<std::int64_t>(word) >> 11) + 1;
  return static_cast<double>(odd) * 0x1p-53;
}

/// The standard normal value of a word that fell outside its layer's rectangle; may take more words
/// from the stream, for the comparison with the density, the tail, and when it begins anew.
double outside_rectangle(const Ziggurat& z, Stream& stream, std::uint64_t word);

/// Takes one word in 98.8 % of cases, else more.
///
/// @source Marsaglia and Tsang, "The ziggurat method for generating random variables", 2000
inline double standard_normal(const Ziggurat& z, Stream& stream) {
  const std::uint64_t word = stream();
  const std::size_t i = layer_of(word);
  const double x = signed_unit(word) * z.edge[i];
  return std::abs(x) < z.edge[i + 1] ? x : outside_rectangle(z, stream, word);
}

}  // namespace rootdk::detail
