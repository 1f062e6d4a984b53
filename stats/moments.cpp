#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/moments.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace rootdk::stats {
namespace {

double binomial_coefficient(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    result *= static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return result;
}

Moments of_constant(double value) {
  Moments result{};
  double power = 1;
  for (double& moment : result) {
    moment = power;
    power *= value;
  }
  return result;
}

}  // namespace

Moments symmetric_moments(double fourth, double sixth, double eighth) {
  return {1, 0, 1, 0, fourth, 0, sixth, 0, eighth};
}

Moments affine(const Moments& x, double shift, double scale) {
  return sum(of_constant(shift), product(of_constant(scale), x));
}

Moments product(const Moments& x, const Moments& y) {
  Moments result{};
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = x[k] * y[k];
  return result;
}

Moments sum(const Moments& x, const Moments& y) {
  Moments result{};
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (std::size_t j = 0; j <= k; ++j) {
      result[k] += binomial_coefficient(k, j) * x[j] * y[k - j];
    }
  }
  return result;
}

Cumulants cumulants(const std::array<double, 4>& raw) {
  const double m = raw[0];
  const double variance = raw[1] - m * m;
  if (!(variance > 0)) {
    throw std::invalid_argument(
        fmt::format("cumulants: variance is {}, must be positive", variance));
  }
  const double third = raw[2] - 3 * m * raw[1] + 2 * m * m * m;
  const double fourth = raw[3] - 4 * m * raw[2] + 6 * m * m * raw[1] - 3 * m * m * m * m;
  return {.mean = m,
          .sd = std::sqrt(variance),
          .skewness = third / (variance * std::sqrt(variance)),
          .excess = fourth / (variance * variance) - 3};
}

Cumulants squared_deviation(const Moments& x) {
  const Moments central = affine(x, -x[1], 1);
  return cumulants({central[2], central[4], central[6], central[8]});
}

Cumulants log_chi_squared(double nu, double count) {
  const double half = nu / 2;
  const double variance = count * trigamma(half);
  return {.mean = count * (digamma(half) - std::log(half)),
          .sd = std::sqrt(variance),
          .skewness = count * polygamma(2, half) / (variance * std::sqrt(variance)),
          .excess = count * polygamma(3, half) / (variance * variance)};
}

Cumulants normal_cumulants(const std::function<double(double)>& f, std::span<const double> kinks) {
  const double mean = normal_expectation(f, kinks).value;
  const auto central = [&](int power) {
    const auto power_of = [&](double z) {
      const double x = f(z) - mean;
      const double square = x * x;
      return power == 2 ? square : (power == 3 ? square * x : square * square);
    };
    return normal_expectation(power_of, kinks).value;
  };
  const double m2 = central(2);
  return {.mean = mean,
          .sd = std::sqrt(m2),
          .skewness = central(3) / (m2 * std::sqrt(m2)),
          .excess = central(4) / (m2 * m2) - 3};
}

}  // namespace rootdk::stats
