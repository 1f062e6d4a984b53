#include <rootdk/lib/scalars/stored.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk {
namespace {

TEST(Stored, ChangesNothingWithoutNoise) {
  EXPECT_EQ(stored(3.0), 3);
  EXPECT_EQ(stored(Dual<double>(3, 2)).slope, 2);
}

TEST(Stored, AddsASlopeOfTheSizeOfARoundingAndKeepsTheValue) {
  Stream source(1);
  const StoredNoise noise(source);
  for (int i = 0; i < 100; ++i) {
    const Dual<double> x = stored(Dual<double>(-3, 0), 1);
    EXPECT_EQ(x.value, -3);
    EXPECT_GE(std::abs(x.slope), 0.5 * 4);
    EXPECT_LE(std::abs(x.slope), 1.5 * 4);
  }
}

TEST(Stored, LeavesZerosAlone) {
  Stream source(1);
  const StoredNoise noise(source);
  EXPECT_EQ(stored(Dual<double>(0, 0)).slope, 0);
}

TEST(Stored, EndsWithItsScope) {
  Stream source(1);
  { const StoredNoise noise(source); }
  EXPECT_EQ(stored(Dual<double>(3, 0)).slope, 0);
}

}  // namespace
}  // namespace rootdk
