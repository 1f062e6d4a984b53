#pragma once

#include <rootdk/properties/block.hpp>
#include <rootdk/stats/moments.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace rootdk {

// Second moments through a layer of activations, stated apart from the library's kernels.

/// f(z) by the textbook formula, in double.
///
/// @throws std::invalid_argument for an activation without one here
double textbook_activation(std::string_view activation, double z, double slope = 0);
/// f′(z) by the textbook formula.
double textbook_slope(std::string_view activation, double z, double slope = 0);

/// Moments of f(√q z)², z ~ N(0, 1), and of f′(√q z)², by quadrature.
stats::Cumulants activation_square(std::string_view activation, double q, double slope = 0);
stats::Cumulants slope_square(std::string_view activation, double q, double slope = 0);

/// E g(z), z ~ N(0, 1), by the trapezoidal rule: an algorithm that shares nothing with adaptive
/// quadrature. Its error for an integrand analytic in a strip of half-width a is about
/// exp(−2πa/h) with h = 1/8, below rounding from a = 0.75 on.
double trapezoidal_expectation(const std::function<double(double)>& g);

/// Σ x².
double squared_norm(std::span<const double> x);

/// Pre-activations z = x W of one layer [1, width], exactly independent N(0, gain² q): x is one row
/// of n_in random entries with a mean square of q, W a fresh lecun_normal draw.
Tensor pre_activations(Block& block, std::int64_t n_in, std::int64_t width, double q,
                       double gain = 1);

/// Records (value² − mean)/sd of each value.
void standardised_squares(Block& block, std::string_view check, const Tensor& values,
                          const stats::Cumulants& moments);

}  // namespace rootdk
