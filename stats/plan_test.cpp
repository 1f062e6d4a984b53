#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/plan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace rootdk::stats {
namespace {

const Budget kBudget{.alpha = 1e-6 / 30000, .beta = 1e-6, .delta = 0.05};

TEST(Plan, TakesTenLooksGrowingByRootTwo) {
  const Plan plan = make_plan(scale(), kBudget, 0);
  ASSERT_EQ(plan.looks.size(), kMaxLooks);
  for (std::size_t k = 1; k < plan.looks.size(); ++k) {
    // Each look is rounded up to an integer.
    EXPECT_NEAR(plan.looks[k] / plan.looks[k - 1], std::sqrt(2.0), 2 / plan.looks[k - 1]);
  }
  EXPECT_DOUBLE_EQ(plan.per_look.alpha * 10, kBudget.alpha);
}

TEST(Plan, CostsAFourteenthMoreThanOneLook) {
  const double fixed = samples(scale(), kBudget);
  EXPECT_NEAR(make_plan(scale(), kBudget, 0).nu_planned() / fixed, 1.14, 0.01);
}

TEST(Plan, GivesThePooledTestItsFirstLook) {
  const Plan plan = make_plan(scale(), kBudget, 24000);
  EXPECT_GE(plan.nu_first(), 24000);
  EXPECT_LT(plan.looks.size(), kMaxLooks);
  EXPECT_GE(make_plan(scale(), kBudget, 1e6).nu_first(), 1e6);
}

TEST(Plan, LooksOnceWhereAllValuesAreKept) {
  EXPECT_EQ(make_plan(shape(), kBudget, 0).looks.size(), 1U);
  EXPECT_EQ(make_plan(extreme(), kBudget, 0).looks.size(), 1U);
}

/// Mean ν used over replicates of X ~ (1 + effect) χ²(ν), by the increments of its looks.
double mean_cost(const Plan& plan, double effect, int replicates, int& refuted, int& undecided) {
  std::mt19937_64 engine(7);
  double used = 0;
  for (int r = 0; r < replicates; ++r) {
    Evidence evidence;
    for (std::size_t k = 0; k < plan.looks.size(); ++k) {
      const double step = plan.looks[k] - evidence.nu;
      std::chi_squared_distribution<double> increment(step);
      evidence.nu += step;
      evidence.x += (1 + effect) * increment(engine);
      const LookResult result = judge(plan, evidence, k);
      if (result.decision == Decision::go_on) continue;
      refuted += result.decision == Decision::refuted ? 1 : 0;
      undecided += result.decision == Decision::undecided ? 1 : 0;
      break;
    }
    used += evidence.nu;
  }
  return used / replicates;
}

TEST(Looks, StopEarlyWhenTheClaimHoldsAndEarlierWhenItDoesNot) {
  const Plan plan = make_plan(scale(), kBudget, 0);
  const double fixed = samples(scale(), kBudget);
  // Expected costs .33, .115 and .05 of a fixed size; the standard error of 400 replicates is below
  // a tenth of each.
  constexpr int replicates = 400;
  int refuted = 0;
  int undecided = 0;
  EXPECT_NEAR(mean_cost(plan, 0, replicates, refuted, undecided) / fixed, 0.33, 0.033);
  EXPECT_EQ(refuted, 0);
  EXPECT_NEAR(mean_cost(plan, 0.10, replicates, refuted, undecided) / fixed, 0.115, 0.0115);
  EXPECT_EQ(refuted, replicates);
  refuted = 0;
  EXPECT_LE(mean_cost(plan, 1, replicates, refuted, undecided) / fixed, 0.06);
  EXPECT_EQ(refuted, replicates);
  EXPECT_EQ(undecided, 0);
}

TEST(Judge, LetsRefutedWin) {
  // A budget so wide that both can be said of one outcome.
  const Plan plan = make_plan(scale(), {.alpha = 0.1, .beta = 0.1, .delta = 0.5}, 1e6);
  const double nu = plan.nu_first();
  const LookResult result = judge(plan, {.nu = nu, .x = nu * 1.1}, 0);
  EXPECT_TRUE(result.finding.equivalent);
  EXPECT_EQ(result.decision, Decision::refuted);
}

}  // namespace
}  // namespace rootdk::stats
