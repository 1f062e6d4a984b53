#pragma once

#include <rootdk/stats/law.hpp>

#include <array>
#include <functional>
#include <span>

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

/// What the law `moment` needs to know of a variable.
struct Cumulants {
  double mean = 0;
  double sd = 1;
  double skewness = 0;
  double excess = 0;

  /// The law of independent values (v − mean)/sd.
  Law law() const { return moment(skewness, excess); }
};

/// Mean, standard deviation, skewness and excess kurtosis from E v … E v⁴.
///
/// @throws std::invalid_argument if the variance is not positive
Cumulants cumulants(const std::array<double, 4>& raw);

/// The same of f(Z), Z ~ N(0, 1), by quadrature; central moments are integrated as such, so that
/// nothing cancels.
///
/// @param kinks points where f or its derivative jumps, rising
Cumulants normal_cumulants(const std::function<double(double)>& f,
                           std::span<const double> kinks = {});

/// The same of (x − E x)², from the central moments of x up to the eighth.
Cumulants squared_deviation(const Moments& x);

/// Of Σ ln(χ²(ν)/ν) over `count` independent terms: the r-th cumulant of one is the polygamma
/// function of order r − 1 at ν/2, the first less ln(ν/2).
Cumulants log_chi_squared(double nu, double count);

}  // namespace rootdk::stats
