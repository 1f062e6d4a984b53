#include <rootdk/lib/scalars/running.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk {
namespace {

TEST(Running, KeepsGivenNumbersExact) {
  EXPECT_EQ(Running::exact(0.1).bound, 0);
  EXPECT_EQ(Running(2).bound, 0);
}

TEST(Running, ChargesAConstantThatADtypeRounds) { EXPECT_EQ(Running(0.1).bound, 0.1); }

TEST(Running, ChargesOneRoundingForEachOperation) {
  const Running x = Running::exact(0.5);
  EXPECT_EQ((x * x).bound, 0.25);
  EXPECT_EQ((x + x).bound, 1);
  // (x² rounded) · x rounded: ½ · ¼ passed on and ⅛ of its own.
  EXPECT_EQ((x * x * x).bound, 0.25);
}

TEST(Running, ChargesNothingForExactZeros) {
  const Running zero = Running::exact(0);
  const Running x = Running::exact(0.75) * Running::exact(0.75);
  EXPECT_EQ((zero * x).bound, 0);
  EXPECT_EQ((zero * x).flush, 0);
  EXPECT_EQ((zero + x).bound, x.bound);
}

TEST(Running, BoundsTheErrorOfASumInFloat) {
  // A sum of floats against the same in double, which is exact for 2⁸ terms of 24 bits.
  Running tracked;
  float sum = 0;
  double exact = 0;
  for (int i = 1; i <= 256; ++i) {
    const float term = 1.0F / static_cast<float>(i);
    tracked += Running::exact(term);
    sum += term;
    exact += term;
  }
  EXPECT_LE(std::abs(sum - exact), 0x1p-24 * tracked.bound);
  EXPECT_LT(tracked.spread, tracked.bound);
}

TEST(Running, DoesNotUnderflowInItsSquares) {
  const Running tiny = Running::exact(1e-200) * Running::exact(0.3);
  EXPECT_GT(tiny.spread, 0);
}

}  // namespace
}  // namespace rootdk
