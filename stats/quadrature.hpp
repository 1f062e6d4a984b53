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

/// ∫ f over a finite interval, by the same rule.
Integral integrate(const std::function<double(double)>& f, double low, double high);

}  // namespace rootdk::stats
