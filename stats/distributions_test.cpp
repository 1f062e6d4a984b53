#include <rootdk/stats/distributions.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk::stats {
namespace {

// Relative error of a special function of Boost at these arguments.
constexpr double kRelative = 1e-10;

TEST(Normal, HasTheTailsOfTables) {
  EXPECT_NEAR(normal_upper(1.959963984540054) / 0.025, 1, kRelative);
  EXPECT_NEAR(normal_upper_quantile(1e-9), 5.997807015007686, 1e-9);
  EXPECT_NEAR(log10_normal_upper(10), std::log10(normal_upper(10)), 1e-12);
  // φ(z)/z (1 − 1/z²) at z = 40: −349.437…
  EXPECT_NEAR(log10_normal_upper(40), -349.4370, 1e-3);
}

TEST(ChiSquared, HasTheExponentialAsItsSecondMember) {
  // χ²(2) is exponential of mean 2.
  EXPECT_NEAR(chi_squared_upper(2, 30) / std::exp(-15.0), 1, kRelative);
  EXPECT_NEAR(chi_squared_lower(2, 1e-9) / 0.5e-9, 1, 1e-8);
  EXPECT_NEAR(chi_squared_upper_quantile(2, 1e-12), -2 * std::log(1e-12), 1e-8);
  EXPECT_NEAR(log10_chi_squared_tail(2, 4000), -2000 / std::log(10.0), 1e-8);
}

TEST(Binomial, IsExactInItsTails) {
  EXPECT_DOUBLE_EQ(binomial_upper(3, 0.5, 3), 0.125);
  EXPECT_DOUBLE_EQ(binomial_lower(3, 0.5, 0), 0.125);
  EXPECT_EQ(binomial_lower(3, 0.5, -1), 0);
  EXPECT_EQ(binomial_upper(3, 0.5, 0), 1);
  EXPECT_EQ(binomial_upper(3, 0.5, 4), 0);
  EXPECT_EQ(binomial_lower_quantile(3, 0.5, 0.125), 0);
  EXPECT_EQ(binomial_upper_quantile(3, 0.5, 0.125), 3);
  EXPECT_EQ(binomial_upper_quantile(3, 0.5, 0.126), 2);
}

TEST(Beta, IsThePowerLawForUnitShape) {
  EXPECT_NEAR(beta_lower(5, 1, 0.5), std::pow(0.5, 5), 1e-15);
  EXPECT_NEAR(beta_upper_quantile(1, 1, 0.25), 0.75, 1e-15);
}

TEST(F, IsReciprocalWhenDegreesAreSwapped) {
  EXPECT_NEAR(f_upper(3, 7, 2.5) / f_lower(7, 3, 1 / 2.5), 1, kRelative);
  EXPECT_NEAR(f_upper_quantile(3, 7, 0.01) * f_lower_quantile(7, 3, 0.01), 1, kRelative);
}

TEST(Polygamma, HasItsValuesAtOne) {
  EXPECT_NEAR(digamma(1), -0.57721566490153286, 1e-15);
  EXPECT_NEAR(trigamma(1), 1.6449340668482264, 1e-14);
}

}  // namespace
}  // namespace rootdk::stats
