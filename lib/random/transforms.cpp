#include <rootdk/lib/random/transforms.hpp>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace rootdk {

double uniform_from_word(std::uint64_t word, int digits) {
  if (!(digits >= 2 && digits <= 53)) {
    throw std::invalid_argument(
        fmt::format("uniform_from_word: digits is {}, must lie in [2, 53]", digits));
  }
  const int bits = digits - 1;
  const auto k = static_cast<std::int64_t>(word >> (64 - bits));
  const std::int64_t odd = 2 * k + 1 - (std::int64_t{1} << bits);
  return std::ldexp(static_cast<double>(odd), -bits);
}

double normal_from_word(std::uint64_t word, int digits) {
  const double u = uniform_from_word(word, digits);
  // 1 − |u| is exact: no digit of a small tail is lost.
  const double size = std::numbers::sqrt2 * boost::math::erfc_inv(1 - std::abs(u));
  return std::copysign(size, u);
}

double truncated_normal_from_word(std::uint64_t word, int digits, double c) {
  if (!(c > 0 && c <= 4)) {
    throw std::invalid_argument(
        fmt::format("truncated_normal_from_word: c is {}, must lie in (0, 4]", c));
  }
  const double u = uniform_from_word(word, digits);
  const double size =
      std::numbers::sqrt2 * boost::math::erf_inv(std::abs(u) * std::erf(c / std::numbers::sqrt2));
  return std::copysign(size, u);
}

}  // namespace rootdk
