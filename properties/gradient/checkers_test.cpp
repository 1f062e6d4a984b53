#include <rootdk/properties/gradient/checkers.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rootdk {
namespace {

TEST(Checkers, OfFiftyDigitsFindsEveryWrongBackwardPassAndRefusesNoRightOne) {
  constexpr std::size_t draws = 6;
  for (const CheckerRow& row : compare_checkers(1, draws)) {
    fmt::print("{:12} {:5} of {:5} wrong found ({:.1f} %), {} of {} right refused\n", row.id,
               row.found, row.wrong,
               100.0 * static_cast<double>(row.found) / static_cast<double>(row.wrong), row.refused,
               row.right);
    EXPECT_GT(row.wrong, 0U);
    EXPECT_GT(row.right, 0U);
    if (row.id != "w1") continue;
    EXPECT_EQ(row.found, row.wrong);
    EXPECT_EQ(row.refused, 0U);
  }
}

}  // namespace
}  // namespace rootdk
