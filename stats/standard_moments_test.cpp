#include <rootdk/stats/standard_moments.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk::stats {
namespace {

// A dozen operations on exactly known moments, and a quadrature good to 1e−13.
constexpr double kRounding = 1e-12;

TEST(StandardMoments, OfAnExponentialFromItsRawMoments) {
  const StandardMoments m = from_raw_moments(1, 2, 6, 24);
  EXPECT_DOUBLE_EQ(m.mean, 1);
  EXPECT_DOUBLE_EQ(m.sd, 1);
  EXPECT_DOUBLE_EQ(m.skewness, 2);
  EXPECT_DOUBLE_EQ(m.excess, 6);
}

TEST(StandardMoments, OfASquaredNormalAreThoseOfChiSquared) {
  const StandardMoments m = normal_moments([](double z) { return z * z; });
  EXPECT_NEAR(m.mean, 1, kRounding);
  EXPECT_NEAR(m.sd, std::sqrt(2.0), kRounding);
  EXPECT_NEAR(m.skewness, std::sqrt(8.0), 10 * kRounding);
  EXPECT_NEAR(m.excess, 12, 100 * kRounding);
  EXPECT_EQ(m.law().kind, LawKind::moment);
}

}  // namespace
}  // namespace rootdk::stats
