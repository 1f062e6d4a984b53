#pragma once

#include <rootdk/lib/scalars/dual.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace rootdk {

/// A number of 50 decimal digits, unit roundoff 2⁻¹⁶⁸.
using Real50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                             boost::multiprecision::et_off>;
using Dual50 = Dual<Real50>;

inline const Real50& re(const Real50& x) { return x; }

}  // namespace rootdk
