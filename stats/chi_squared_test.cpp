#include <rootdk/stats/chi_squared.hpp>

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace rootdk::stats {
namespace {

template <class Values>
constexpr bool can_be_summed = requires(Values values) {
  sum_of_squares(values, 1.0);
};

// Dependence is declared in types: a χ² over the entries of one product does not compile.
static_assert(can_be_summed<Independent>);
static_assert(!can_be_summed<SharedRows>);
static_assert(!std::is_constructible_v<ChiSquared, double, double>);

TEST(SumOfSquares, CountsItsValues) {
  const std::array values{3.0, 4.0};
  const ChiSquared sum = sum_of_squares(Independent{values}, 2);
  EXPECT_EQ(sum.nu(), 2);
  EXPECT_EQ(sum.x(), 25.0 / 4);
}

TEST(SumOfNorms, CountsTheEntriesOfItsVectors) {
  const std::array norms{9.0, 16.0};
  const ChiSquared seen = sum_of_norms({norms}, 3, 0.5);
  EXPECT_EQ(seen.nu(), 6);
  EXPECT_EQ(seen.x(), 100);
}

TEST(LinearOutput, IsRelativeToItsInput) {
  const std::array x{1.0, 2.0, 2.0};
  const std::array y{6.0, 0.0};
  const ChiSquared sum = linear_output(y, x, 0.5);
  EXPECT_EQ(sum.nu(), 2);
  EXPECT_EQ(sum.x(), 36 / (0.25 * 9));
}

TEST(WhitenedScores, RecoversTheKeysOfOrthogonalQueries) {
  // Q = diag(2, 4): S = Q Kᵀ has rows 2k₀, 4k₁; whitening divides them by 2 and 4.
  const std::array q{2.0, 0.0, 0.0, 4.0};
  const std::array s{2.0, 6.0, 20.0, 28.0};  // keys (1, 5) and (3, 7)
  const ChiSquared sum = whitened_scores({s, 2, 2}, q, 1);
  EXPECT_EQ(sum.nu(), 4);
  EXPECT_EQ(sum.x(), 1 + 9 + 25 + 49);
}

TEST(WhitenedScores, RefusesMoreQueriesThanTheirWidth) {
  const std::vector<double> q(6, 1.0);
  const std::vector<double> s(9, 1.0);
  EXPECT_THROW(whitened_scores({s, 3, 3}, q, 1), std::invalid_argument);
}

TEST(ChiSquared, AddsUpOverIndependentBlocks) {
  const std::array values{1.0};
  const ChiSquared one = sum_of_squares(Independent{values}, 1);
  const ChiSquared two = one + one;
  EXPECT_EQ(two.nu(), 2);
  EXPECT_EQ(two.x(), 2);
}

}  // namespace
}  // namespace rootdk::stats
