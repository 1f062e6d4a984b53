#pragma once

#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/random/stream.hpp>
#include <rootdk/lib/scalars/dual.hpp>

#include <type_traits>

namespace rootdk {

/// Gives the values that `stored` marks a random slope of the size of a rounding, for as long as it
/// lives and in this thread.
///
/// A gradient that is computed in stages is as accurate as its stages allow: each intermediate
/// result is rounded whatever the algorithm, and what follows passes that rounding on. Derivatives
/// along such changes measure how much of it arrives.
class StoredNoise {
 public:
  /// @param source of the random changes; it outlives this object
  explicit StoredNoise(Stream& source);
  ~StoredNoise();
  StoredNoise(const StoredNoise&) = delete;
  StoredNoise& operator=(const StoredNoise&) = delete;
};

/// ± between ½ and 1½: continuous, so that equal terms do not cancel.
double random_change(Stream& source);

namespace detail {
/// random_change of the source of this thread's StoredNoise; 0 without one.
double stored_change();
}  // namespace detail

/// Marks an intermediate result that follows from the definition of an operation, not from the way
/// it is computed: the same value, but for a dual number under StoredNoise.
///
/// @param size of the rounding is |x| + size units
template <class T>
T stored(const T& x, double size = 0) {
  if constexpr (std::is_same_v<T, Dual<double>>) {
    const double magnitude = x.value < 0 ? -x.value : x.value;
    return {x.value, x.slope + (magnitude + size) * detail::stored_change()};
  } else {
    static_cast<void>(size);
    return x;
  }
}

/// Marks all entries of a matrix.
template <class T, class M>
void store(M&& values, double size = 0) {
  if constexpr (std::is_same_v<T, Dual<double>>) {
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      for (Eigen::Index j = 0; j < values.cols(); ++j) {
        values(i, j) = stored<T>(values(i, j), size);
      }
    }
  } else {
    static_cast<void>(values);
    static_cast<void>(size);
  }
}

}  // namespace rootdk
