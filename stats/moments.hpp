#pragma once

#include <rootdk/stats/standard_moments.hpp>

#include <array>

namespace rootdk::stats {

/// Moments E x⁰ … E x⁸ of one variable.
using Moments = std::array<double, 9>;

/// Moments of a symmetric law of mean 0 and variance 1.
Moments symmetric_moments(double fourth, double sixth, double eighth);
/// Moments of shift + scale·x.
Moments affine(const Moments& x, double shift, double scale);
/// Moments of x·y and x + y, x and y independent.
Moments product(const Moments& x, const Moments& y);
Moments sum(const Moments& x, const Moments& y);

/// Of (x − E x)², from the central moments of x up to the eighth.
StandardMoments squared_deviation(const Moments& x);

/// Of Σ ln(χ²(ν)/ν) over `count` independent terms: the r-th cumulant of one is the polygamma
/// function of order r − 1 at ν/2, the first less ln(ν/2).
StandardMoments log_chi_squared(double nu, double count);

}  // namespace rootdk::stats
