#include <rootdk/stats/law.hpp>
#include <rootdk/stats/test.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk::stats {
namespace {

TEST(MomentLaw, HasATailThatNeverRisesWithTheDistance) {
  for (const double nu : {100.0, 4096.0, 1e6}) {
    double before = 1;
    for (double mean = 0; mean < 2; mean += 0.01) {
      const double tail = tails(moment(4, 30), nu, mean * nu, 0).upper;
      EXPECT_LE(tail, before) << nu << " " << mean;
      before = tail;
    }
  }
}

TEST(MomentLaw, RefutesAGrossEffectOfASkewedLaw) {
  // Half a standard deviation, as of a squared ReLU whose input is missing.
  constexpr double nu = 4096;
  const Budget budget{.alpha = 1e-12, .beta = 1e-6, .delta = 0.2};
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(test(moment(4, 30), {.nu = nu, .x = sign * nu / 2, .values = {}}, budget).refuted);
  }
  EXPECT_TRUE(test(moment(0.1, -1.2), {.nu = 1e6, .x = -1e6, .values = {}}, budget).refuted);
}

}  // namespace
}  // namespace rootdk::stats
