#include <rootdk/stats/quadrature.hpp>
#include <rootdk/stats/standard_moments.hpp>

#include <cmath>

namespace rootdk::stats {

StandardMoments from_raw_moments(double first, double second, double third, double fourth) {
  const double m2 = second - first * first;
  const double m3 = third - 3 * first * second + 2 * first * first * first;
  const double m4 =
      fourth - 4 * first * third + 6 * first * first * second - 3 * first * first * first * first;
  return {.mean = first,
          .sd = std::sqrt(m2),
          .skewness = m3 / (m2 * std::sqrt(m2)),
          .excess = m4 / (m2 * m2) - 3};
}

StandardMoments normal_moments(const std::function<double(double)>& f,
                               std::span<const double> kinks) {
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
