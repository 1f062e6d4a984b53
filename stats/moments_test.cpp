#include <rootdk/stats/moments.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace rootdk::stats {
namespace {

// Each value is a sum of at most nine products of integers and thirds; a unit in the last place a
// term.
constexpr double kRoundoff = 32 * 0x1p-53;

Moments normal() { return symmetric_moments(3, 15, 105); }

TEST(Moments, ASumOfNormalsIsNormal) {
  const Moments two = sum(normal(), normal());
  EXPECT_EQ(two[2], 2);
  EXPECT_EQ(two[4], 3 * 4);
  EXPECT_EQ(two[6], 15 * 8);
  EXPECT_EQ(two[8], 105 * 16);
}

TEST(Moments, AffineMovesTheMeanAndKeepsTheVariance) {
  const Moments x = affine(normal(), 3, 2);
  EXPECT_EQ(x[1], 3);
  EXPECT_EQ(x[2], 9 + 4);
  EXPECT_EQ(x[3], 27 + 3 * 3 * 4);
}

TEST(Moments, KurtosesMultiply) { EXPECT_EQ(product(normal(), normal())[4], 9); }

TEST(Moments, TheSquareOfANormalIsChiSquared) {
  const Cumulants square = squared_deviation(affine(normal(), 5, 1));
  EXPECT_NEAR(square.mean, 1, 25 * kRoundoff);
  // The eighth central moment is a difference of terms up to C(8, 4)·5⁸.
  constexpr double lost = 70 * 390625.0 * kRoundoff;
  EXPECT_NEAR(square.skewness, std::sqrt(8), lost);
  EXPECT_NEAR(square.excess, 12, lost);
}

TEST(Moments, AConstantHasNoCumulants) {
  EXPECT_THROW(cumulants({1, 1, 1, 1}), std::invalid_argument);
}

TEST(NormalCumulants, OfASquaredNormalAreThoseOfChiSquared) {
  // Quadrature good to 1e−13, in a quotient of moments of size 60.
  constexpr double kQuadrature = 1e-11;
  const Cumulants m = normal_cumulants([](double z) { return z * z; });
  EXPECT_NEAR(m.mean, 1, kQuadrature);
  EXPECT_NEAR(m.sd, std::sqrt(2.0), kQuadrature);
  EXPECT_NEAR(m.skewness, std::sqrt(8.0), kQuadrature);
  EXPECT_NEAR(m.excess, 12, 10 * kQuadrature);
}

}  // namespace
}  // namespace rootdk::stats
