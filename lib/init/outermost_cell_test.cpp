#include <rootdk/lib/init/outermost_cell.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr InitSettings kSettings{.fan_in = 48};

TEST(OutermostCell, OfAUniformLawHoldsTwoOfItsValues) {
  const OutermostCell cell = outermost_cell<float>(initialiser("lecun_uniform"), kSettings);
  EXPECT_EQ(cell.probability, 2 * 0x1p-23);
  const double bound = entry_bound(initialiser("lecun_uniform"), kSettings);
  EXPECT_GT((1 - 0x1p-23) * bound, cell.start);
  EXPECT_LT((1 - 3 * 0x1p-23) * bound, cell.start);
}

TEST(OutermostCell, OfATruncatedLawHasTheMassOfItsWidth) {
  const Initialiser& rule = initialiser("lecun_truncated");
  const OutermostCell cell = outermost_cell<float>(rule, kSettings);
  // A cell of a few numbers, whose ends lie at most half a number off.
  const double bound = entry_bound(rule, kSettings);
  const double width = 2 * entry_density(rule, kSettings, cell.start) * bound * 0x1p-22;
  EXPECT_GT(cell.probability, width / 2);
  EXPECT_LT(cell.probability, width * 3 / 2);
}

TEST(OutermostCell, IsRefusedWithoutABound) {
  EXPECT_THROW(outermost_cell<double>(initialiser("gpt2"), kSettings), std::invalid_argument);
  EXPECT_THROW(outermost_cell<double>(initialiser("orthogonal"), kSettings), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
