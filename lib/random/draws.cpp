#include <rootdk/lib/random/draws.hpp>

#include <boost/random/normal_distribution.hpp>

#include <cmath>
#include <limits>

namespace rootdk {

template <class T>
void fill_normal(Stream& stream, std::span<T> out, double mean, double sd) {
  boost::random::normal_distribution<double> normal(mean, sd);
  for (T& value : out) value = static_cast<T>(normal(stream));
}

template <class T>
T symmetric_uniform(std::uint64_t word) {
  constexpr int bits = std::numeric_limits<T>::digits - 1;
  const auto k = static_cast<std::int64_t>(word >> (64 - bits));
  const std::int64_t odd = 2 * k + 1 - (std::int64_t{1} << bits);
  return static_cast<T>(odd) * (T{1} / static_cast<T>(std::int64_t{1} << bits));
}

template <class T>
void fill_uniform(Stream& stream, std::span<T> out, double half_width) {
  const T bound = static_cast<T>(half_width);
  for (T& value : out) value = bound * symmetric_uniform<T>(stream());
}

template <class T>
void fill_truncated_normal(Stream& stream, std::span<T> out, double parent_sd) {
  boost::random::normal_distribution<double> normal(0.0, parent_sd);
  const T bound = static_cast<T>(kTruncation * parent_sd);
  for (T& value : out) {
    do {
      value = static_cast<T>(normal(stream));
    } while (!(std::abs(value) < bound));
  }
}

#define ROOTDK_INSTANTIATE(T)                                          \
  template void fill_normal<T>(Stream&, std::span<T>, double, double); \
  template T symmetric_uniform<T>(std::uint64_t);                      \
  template void fill_uniform<T>(Stream&, std::span<T>, double);        \
  template void fill_truncated_normal<T>(Stream&, std::span<T>, double);
ROOTDK_INSTANTIATE(double)
ROOTDK_INSTANTIATE(float)
#undef ROOTDK_INSTANTIATE

}  // namespace rootdk
