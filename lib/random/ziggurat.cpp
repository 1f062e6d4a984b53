#include <rootdk/lib/random/ziggurat.hpp>

#include <boost/random/exponential_distribution.hpp>

#include <cmath>

namespace rootdk::detail {
namespace {

// Where the tail begins, and the area of a layer: R exp(−R²/2) + ∫_R^∞ exp(−x²/2) dx. R is the root
// at which the 256th layer ends at the top of the density.
constexpr double kTail = 3.6541528853610088;
constexpr double kArea = 0.004928673233974655;

double density(double x) { return std::exp(-x * x / 2); }

Ziggurat make() {
  Ziggurat z{};
  // The lowest layer as wide as a rectangle of its area, so that the part up to kTail is hit with
  // the right probability.
  z.edge[0] = kArea / density(kTail);
  z.edge[1] = kTail;
  z.height[1] = density(kTail);
  for (std::size_t i = 2; i < Ziggurat::layers; ++i) {
    z.height[i] = z.height[i - 1] + kArea / z.edge[i - 1];
    z.edge[i] = std::sqrt(-2 * std::log(z.height[i]));
  }
  z.edge[Ziggurat::layers] = 0;
  z.height[Ziggurat::layers] = 1;
  return z;
}

double unit(Stream& stream) { return (static_cast<double>(stream() >> 11U) + 0.5) * 0x1p-53; }

/// |x| > kTail, by exponential draws.
///
/// @source Marsaglia, "Generating a variable from the tail of the normal distribution", 1964
double tail(Stream& stream) {
  boost::random::exponential_distribution<double> along(kTail);
  boost::random::exponential_distribution<double> across(1);
  for (;;) {
    const double x = along(stream);
    if (2 * across(stream) > x * x) return kTail + x;
  }
}

}  // namespace

const Ziggurat& ziggurat() {
  static const Ziggurat z = make();
  return z;
}

double outside_rectangle(const Ziggurat& z, Stream& stream, std::uint64_t word) {
  for (;; word = stream()) {
    const std::size_t i = layer_of(word);
    const double u = signed_unit(word);
    const double x = u * z.edge[i];
    if (std::abs(x) < z.edge[i + 1]) return x;
    if (i == 0) return u < 0 ? -tail(stream) : tail(stream);
    const double y = z.height[i] + unit(stream) * (z.height[i + 1] - z.height[i]);
    if (y < density(x)) return x;
  }
}

}  // namespace rootdk::detail
