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

TEST(Integrate, KnowsAnElementaryIntegral) {
  const Integral seen = integrate([](double x) { return std::exp(-x); }, 0, 1);
  EXPECT_NEAR(seen.value, 1 - std::exp(-1.0), seen.error);
}

}  // namespace
}  // namespace rootdk::stats
