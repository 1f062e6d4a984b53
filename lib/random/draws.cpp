#include <rootdk/lib/random/draws.hpp>
#include <rootdk/lib/random/ziggurat.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace rootdk {

namespace {

/// Words looked at together: all inside their rectangles in 9 groups of 10.
constexpr std::size_t kGroup = 8;

/// The values of whole groups of the words ahead, until a word lies outside its rectangle.
///
/// @return how many were made, a multiple of kGroup
template <class T>
std::size_t fill_groups(const detail::Ziggurat& z, Stream& stream, std::span<T> out, double mean,
                        double sd) {
  const auto words = stream.ahead();
  const std::size_t end = std::min(words.size(), out.size());
  std::size_t made = 0;
  for (; made + kGroup <= end; made += kGroup) {
    bool inside = true;
    for (std::size_t k = made; k < made + kGroup; ++k) {
      const std::size_t i = detail::layer_of(words[k]);
      const double x = detail::signed_unit(words[k]) * z.edge[i];
      inside &= std::abs(x) < z.edge[i + 1];
      out[k] = static_cast<T>(mean + sd * x);
    }
    if (!inside) break;
  }
  stream.skip(made);
  return made;
}

}  // namespace

template <class T>
void fill_normal(Stream& stream, std::span<T> out, double mean, double sd) {
  const detail::Ziggurat& z = detail::ziggurat();
  // One word after the other; the groups only look ahead, so that values do not depend on how a
  // range is cut.
  for (std::size_t next = 0; next < out.size();) {
    next += fill_groups(z, stream, out.subspan(next), mean, sd);
    const std::size_t end = std::min(out.size(), next + kGroup);
    for (; next < end; ++next) {
      out[next] = static_cast<T>(mean + sd * detail::standard_normal(z, stream));
    }
  }
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
  const detail::Ziggurat& z = detail::ziggurat();
  const T bound = static_cast<T>(kTruncation * parent_sd);
  for (T& value : out) {
    do {
      value = static_cast<T>(parent_sd * detail::standard_normal(z, stream));
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
