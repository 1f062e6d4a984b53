#pragma once

#include <functional>
#include <span>

namespace rootdk::stats {

/// An integral and a bound of its own error, as the rule estimates it, rounding included.
struct Integral {
  double value = 0;
  double error = 0;
};

/// E f(Z), Z ~ N(0, 1).
///
/// Numerics: Gauss–Kronrod of 61 points, adaptive, on (−40, 40) cut at the kinks; the mass beyond
/// is below 1e−300.
///
/// @param f finite for |z| ≤ 40, smooth between the kinks
/// @param kinks points where f or its derivative jumps, rising
Integral normal_expectation(const std::function<double(double)>& f,
                            std::span<const double> kinks = {});

/// E f(‖z‖) of z ~ N(0, I), of d entries: r = ‖z‖ has density 2^(1−d/2) r^(d−1) e^(−r²/2)/Γ(d/2).
///
/// Numerics: integrated within 12 of √d, beyond which r has less than 1e−30 of its mass.
///
/// @param f finite for r > 0, smooth
Integral norm_expectation(const std::function<double(double)>& f, double d);

/// ∫ f over a finite interval, by the same rule.
Integral integrate(const std::function<double(double)>& f, double low, double high);

}  // namespace rootdk::stats
