#include <rootdk/lib/scalars/dual.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace rootdk {
namespace {

// A derivative of a few operations in double, each with an error of half a unit in the last place of a
// value of size about 1.
constexpr double kFewRoundings = 8 * std::numeric_limits<double>::epsilon();

Dual<double> at(double x) { return {x, 1}; }

TEST(Dual, FollowsTheProductRuleExactlyOnIntegers) {
  const Dual<double> y = at(3) * at(3) * at(3) - Dual<double>(2) * at(3);
  EXPECT_EQ(y.value, 21);
  EXPECT_EQ(y.slope, 25);
}

TEST(Dual, FollowsTheQuotientRuleExactlyOnPowersOfTwo) {
  const Dual<double> y = Dual<double>(1) / at(2);
  EXPECT_EQ(y.value, 0.5);
  EXPECT_EQ(y.slope, -0.25);
}

TEST(Dual, KnowsTheElementaryFunctions) {
  EXPECT_EQ(exp(at(0)).slope, 1);
  EXPECT_EQ(expm1(at(0)).slope, 1);
  EXPECT_EQ(log(at(4)).slope, 0.25);
  EXPECT_EQ(sqrt(at(4)).slope, 0.25);
  EXPECT_EQ(tanh(at(0)).slope, 1);
  EXPECT_EQ(atan(at(1)).slope, 0.5);
  EXPECT_NEAR(erfc(at(0)).slope, -2 / std::sqrt(4 * std::atan(1.0)), kFewRoundings);
}

TEST(Dual, KeepsTheSlopeOfTanhAtItsEnds) {
  // 1/cosh²(20) = 4 e^−40 to first order, where 1 − tanh² is 0 in double.
  EXPECT_NEAR(tanh(at(-20)).slope / (4 * std::exp(-40.0)), 1, kFewRoundings);
}

TEST(Dual, ComparesByValueAlone) {
  EXPECT_TRUE((Dual<double>{1, 5} == Dual<double>{1, 7}));
  EXPECT_TRUE((Dual<double>{1, 9} < Dual<double>{2, 0}));
  EXPECT_EQ(re(Dual<double>{3, 4}), 3);
}

}  // namespace
}  // namespace rootdk
