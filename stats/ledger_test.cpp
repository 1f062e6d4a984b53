#include <rootdk/stats/ledger.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace rootdk::stats {
namespace {

TEST(Ledger, ReachesItsTotalWhenAllSlotsAreTaken) {
  Ledger ledger(1e-6, {.claims = 4, .configurations = 8});
  for (int claim = 0; claim < 4; ++claim) ledger.book(8, 3, 2);
  EXPECT_NEAR((ledger.spent() + ledger.reserved()) / ledger.alpha(), 1, 1e-12);
  EXPECT_NEAR(ledger.reserved() / ledger.alpha(), 0.1, 1e-12);
}

TEST(Ledger, GivesSharesThatDependOnTheSlotsAlone) {
  Ledger ledger(1e-6, {.claims = 512, .configurations = 128});
  const double before = ledger.configuration_share(2);
  ledger.book(100, 2, 1);
  EXPECT_EQ(ledger.configuration_share(2), before);
  EXPECT_DOUBLE_EQ(before, 0.9 * 1e-6 / (2.0 * 512 * 128 * 2));
}

TEST(Ledger, RefusesMoreThanItsSlots) {
  Ledger ledger(1e-6, {.claims = 1, .configurations = 8});
  EXPECT_THROW(ledger.book(9, 1, 1), std::invalid_argument);
  ledger.book(8, 1, 1);
  EXPECT_THROW(ledger.book(8, 1, 1), std::invalid_argument);
}

TEST(Ledger, RefusesAMeaninglessAlpha) {
  EXPECT_THROW(Ledger(0, {}), std::invalid_argument);
  EXPECT_THROW(Ledger(2, {}), std::invalid_argument);
  EXPECT_THROW(Ledger(1e-6, {.claims = 0, .configurations = 1}), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk::stats
