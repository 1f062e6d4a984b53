#include <rootdk/stats/quadrature.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace rootdk::stats {
namespace {

TEST(NormalExpectation, HasTheMomentsOfTheLaw) {
  const double expected[] = {1, 0, 1, 0, 3, 0, 15};
  for (int power = 0; power <= 6; ++power) {
    const Integral seen = normal_expectation([&](double z) { return std::pow(z, power); });
    EXPECT_NEAR(seen.value, expected[power], seen.error) << power;
    EXPECT_LT(seen.error, 1e-11) << power;
  }
}

TEST(NormalExpectation, IsCutAtKinks) {
  const std::array kinks{0.0};
  const Integral seen = normal_expectation([](double z) { return z > 0 ? z * z : 0; }, kinks);
  EXPECT_NEAR(seen.value, 0.5, seen.error);
  EXPECT_LT(seen.error, 1e-12);
}

/// Relative error of the density: that of its exponent, a sum of terms up to (d/2) ln d + 100.
double rounded_exponent(double d) { return 8 * 0x1p-53 * (d * std::log(d + 1) / 2 + 100); }

TEST(NormExpectation, HasTheMomentsOfAGaussianLength) {
  for (const double d : {1.0, 2.0, 17.0, 300.0}) {
    const Integral mass = norm_expectation([](double) { return 1; }, d);
    EXPECT_NEAR(mass.value, 1, mass.error + rounded_exponent(d)) << d;
    const Integral square = norm_expectation([](double r) { return r * r; }, d);
    EXPECT_NEAR(square.value, d, square.error + d * rounded_exponent(d)) << d;
    const Integral fourth = norm_expectation([](double r) { return std::pow(r, 4); }, d);
    EXPECT_NEAR(fourth.value, d * (d + 2), fourth.error + d * (d + 2) * rounded_exponent(d)) << d;
  }
}

TEST(Integrate, KnowsAnElementaryIntegral) {
  const Integral seen = integrate([](double x) { return std::exp(-x); }, 0, 1);
  EXPECT_NEAR(seen.value, 1 - std::exp(-1.0), seen.error);
}

}  // namespace
}  // namespace rootdk::stats
