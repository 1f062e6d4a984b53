#include <rootdk/stats/chi_squared.hpp>

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace rootdk::stats {
namespace {

using Four = std::array<double, 4>;

Four product(const Four& a, const Four& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
          a[2] * b[1] + a[3] * b[3]};
}
Four transposed(const Four& a) { return {a[0], a[2], a[1], a[3]}; }

TEST(WhitenedChain, OfSquareFactorsIsTheSumOfSquaresOfTheWeights) {
  // For square Q and X both whitenings are rotations of W.
  const Four q{2, 1, -1, 3};
  const Four x{1, 4, 2, -1};
  const Four w{0.5, -2, 3, 1};
  const Four s = product(q, transposed(product(x, w)));
  const ChiSquared sum = whitened_chain({s, 2, 2}, q, x, 2);
  EXPECT_EQ(sum.nu(), 4);
  // Two Gram matrices of condition below 50, each solved to a few roundings of it.
  constexpr double bound = 8 * 50 * 50 * 0x1p-53;
  EXPECT_NEAR(sum.x(), (0.25 + 4 + 9 + 1) / 4, 14.25 / 4 * bound);
}

TEST(WhitenedChain, RefusesMoreRowsThanItsWidth) {
  const Four q{1, 2, 3, 4};
  const std::array<double, 2> narrow{1, 2};
  EXPECT_THROW(whitened_chain({q, 2, 2}, narrow, q, 1), std::invalid_argument);
  EXPECT_THROW(whitened_chain({q, 2, 2}, q, narrow, 1), std::invalid_argument);
}

TEST(OrthogonalPart, LeavesOutTheDirection) {
  const std::array<double, 3> y{3, 4, 12};
  const std::array<double, 3> x{2, 0, 0};
  const ChiSquared sum = orthogonal_part(y, x, 2);
  EXPECT_EQ(sum.nu(), 2);
  EXPECT_EQ(sum.x(), (16 + 144) / 4.0);
}

}  // namespace
}  // namespace rootdk::stats
