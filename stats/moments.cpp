#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/moments.hpp>

#include <cmath>

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

StandardMoments squared_deviation(const Moments& x) {
  const Moments central = affine(x, -x[1], 1);
  return from_raw_moments(central[2], central[4], central[6], central[8]);
}

StandardMoments log_chi_squared(double nu, double count) {
  const double half = nu / 2;
  const double variance = count * trigamma(half);
  return {.mean = count * (digamma(half) - std::log(half)),
          .sd = std::sqrt(variance),
          .skewness = count * polygamma(2, half) / (variance * std::sqrt(variance)),
          .excess = count * polygamma(3, half) / (variance * variance)};
}

}  // namespace rootdk::stats
