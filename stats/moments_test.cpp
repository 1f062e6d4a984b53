#include <rootdk/stats/moments.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

TEST(Moments, TheLogarithmOfChiSquaredWithTwoDegreesIsGumbel) {
  // χ²(2)/2 is exponential, and minus its logarithm is Gumbel's: mean γ, variance π²/6, skewness
  // 12√6 ζ(3)/π³, excess 12/5.
  const Cumulants log = log_chi_squared(2, 1);
  EXPECT_NEAR(log.mean, -std::numbers::egamma, kRoundoff);
  EXPECT_NEAR(log.sd, std::numbers::pi / std::sqrt(6), kRoundoff);
  EXPECT_NEAR(log.skewness, -1.1395470994046486, 8 * kRoundoff);
  EXPECT_NEAR(log.excess, 2.4, 8 * kRoundoff);
}

TEST(Moments, IndependentTermsAddTheirCumulants) {
  const Cumulants one = log_chi_squared(5, 1);
  const Cumulants four = log_chi_squared(5, 4);
  EXPECT_NEAR(four.mean, 4 * one.mean, kRoundoff);
  EXPECT_NEAR(four.sd, 2 * one.sd, kRoundoff);
  EXPECT_NEAR(four.skewness, one.skewness / 2, kRoundoff);
  EXPECT_NEAR(four.excess, one.excess / 4, kRoundoff);
}

TEST(MomentLaw, TailsNeverRiseWithDistance) {
  const Law law = moment(-1.14, 2.4);
  constexpr double nu = 224;
  double before = 1;
  for (double z = 0; z < 30; z += 0.25) {
    const double upper = tails(law, nu, z * std::sqrt(nu), 0).upper;
    EXPECT_LE(upper, before) << z;
    before = upper;
  }
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
