#include <rootdk/lib/init/gain.hpp>

#include <cmath>
#include <numbers>

namespace rootdk {

double activation_gain(Activation f, double slope) {
  switch (f) {
    case Activation::identity:
      return 1;
    case Activation::relu:
      return std::numbers::sqrt2;
    case Activation::leaky_relu:
      return std::sqrt(2 / (1 + slope * slope));
    case Activation::tanh:
      return 1.5925374197228312;
    case Activation::sigmoid:
      return 1.8462285453386054;
    case Activation::silu:
      return 1.6765324703310913;
    case Activation::gelu:
      // E (zΦ(z))² = E z² Φ(z)²: two integrations by parts leave P of an orthant and its density.
      return 1 / std::sqrt(1.0 / 3 + 1 / (2 * std::numbers::pi * std::numbers::sqrt3));
    case Activation::selu:
      // The constants of SELU are chosen to make (mean 0, variance 1) a fixed point.
      return 1;
  }
  return 1;
}

}  // namespace rootdk
