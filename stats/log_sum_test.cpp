#include <rootdk/stats/log_sum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace rootdk::stats {
namespace {

// Differences of cumulants of size 10, each a sum of 1,500 terms.
constexpr double kRounding = 1e-10;

TEST(LogSumCumulants, OfOneTermAreThoseOfTheNormalLawItself) {
  const LogSum one = log_sum_cumulants(1, 0.75);
  EXPECT_NEAR(one.mean, 0, kRounding);
  EXPECT_NEAR(one.variance, 0.75 * 0.75, kRounding);
  EXPECT_NEAR(one.third, 0, kRounding);
  EXPECT_NEAR(one.fourth, 0, kRounding);
}

TEST(LogSumCumulants, OfTwoTermsFollowFromTheirDifference) {
  // ln(eᵃ + eᵇ) = (a + b)/2 + ln 2cosh((a − b)/2): an independent normal and a function of one.
  constexpr double s = 1.25;
  double mean = 0;
  for (int k = -160; k <= 160; ++k) {
    const double z = k / 16.0;
    mean += std::log(2 * std::cosh(s * z / std::numbers::sqrt2)) * std::exp(-z * z / 2) / 16.0 /
            std::sqrt(2 * std::numbers::pi);
  }
  EXPECT_NEAR(log_sum_cumulants(2, s).mean, mean, kRounding);
}

TEST(LogSumCumulants, RejectsWhatItCannotIntegrate) {
  EXPECT_THROW(log_sum_cumulants(0, 1), std::invalid_argument);
  EXPECT_THROW(log_sum_cumulants(4, 2), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk::stats
