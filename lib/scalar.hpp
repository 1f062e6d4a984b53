#pragma once

#include <cmath>
#include <cstdint>

namespace rootdk {

/// The value of a scalar without its derivative. Branches and maxima look at it alone, so that a
/// dual number takes the same path as a plain one. Overloads for other scalars stand beside their
/// types.
inline double re(double x) { return x; }
inline float re(float x) { return x; }

/// A count as a scalar.
template <class T>
T number(std::int64_t count) {
  return static_cast<T>(static_cast<double>(count));
}

}  // namespace rootdk
