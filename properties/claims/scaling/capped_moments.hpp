#pragma once

#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <numbers>
#include <utility>

namespace rootdk::claims::scaling {

/// E S², E S⁴, E S⁶, E S⁸ of S = c tanh(x/c), x = q·k/√d of standard normal rows of width d.
///
/// With y = √d |x| the density of x is √d (y/2)^ν K_ν(y)/(√π Γ(d/2)), ν = (d − 1)/2: one integral
/// a moment.
///
/// @source Craig, "On the frequency function of xy", 1936, summed over d terms
using CappedMoments = std::array<stats::Integral, 4>;

inline double product_density(double x, double d) {
  const double nu = (d - 1) / 2;
  const double y = std::sqrt(d) * x;
  const double scale = std::sqrt(d / std::numbers::pi);
  // Near 0, K_ν(y) ≈ Γ(ν)(2/y)^ν/2, with a relative error of y²/(4(ν − 1)): there the powers would
  // overflow, and what x² leaves of that error is far below rounding.
  if (nu >= 2 && y < 1e-4)
    return scale / 2 * std::exp(stats::log_gamma(nu) - stats::log_gamma(d / 2));
  return scale * std::exp(nu * std::log(y / 2) - stats::log_gamma(d / 2)) *
         std::cyl_bessel_k(nu, y);
}

inline const CappedMoments& capped_moments(std::int64_t d_k, double c) {
  static std::map<std::pair<std::int64_t, double>, CappedMoments> known;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto [entry, fresh] = known.try_emplace({d_k, c});
  if (!fresh) return entry->second;
  const auto d = static_cast<double>(d_k);
  for (std::size_t k = 0; k < entry->second.size(); ++k) {
    const auto integrand = [&](double x) {
      const double s = c * std::tanh(x / c);
      return 2 * std::pow(s * s, static_cast<double>(k + 1)) * product_density(x, d);
    };
    // |x| has tails of at most exp(−|x|), the case d = 1.
    const stats::Integral near = stats::integrate(integrand, 0, 8);
    const stats::Integral far = stats::integrate(integrand, 8, 48);
    entry->second[k] = {near.value + far.value, near.error + far.error};
  }
  return entry->second;
}

}  // namespace rootdk::claims::scaling
