#pragma once

#include <rootdk/stats/law.hpp>

#include <functional>
#include <span>

namespace rootdk::stats {

/// What the law `moment` must know of one value.
struct StandardMoments {
  double mean = 0;
  double sd = 1;
  double skewness = 0;
  double excess = 0;  ///< excess kurtosis

  /// The law of Σ (value − mean)/sd.
  Law law() const { return moment(skewness, excess); }
};

/// From the raw moments E X, E X², E X³, E X⁴.
StandardMoments from_raw_moments(double first, double second, double third, double fourth);

/// Of f(Z), Z ~ N(0, 1), by quadrature; central moments are integrated as such, so that nothing
/// cancels.
///
/// @param kinks points where f or its derivative jumps, rising
StandardMoments normal_moments(const std::function<double(double)>& f,
                               std::span<const double> kinks = {});

}  // namespace rootdk::stats
