#include <rootdk/stats/plan.hpp>
#include <rootdk/stats/share.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rootdk::stats {
namespace {

// P(X = n) of Bin(n, p) is pⁿ and P(X = 0) is (1 − p)ⁿ. At n = 12 and p = 0.9 the base carries the
// rounding of p, magnified by p/(1 − p) = 9, and each factor its own: 12 (9 + 1) roundoffs, 60 ε.
constexpr double kPowerError = 60 * std::numeric_limits<double>::epsilon();

/// δ that puts the excluded share at one half.
double half(double p0) { return std::log(2 * p0); }

TEST(Share, TailsAreBinomial) {
  const Law law = share(0.9);
  const double all = std::pow(0.5, 20);
  EXPECT_NEAR(share_tails(law, 20, 20, -half(0.9)).upper, all, kPowerError * all);
  const double none = std::pow(0.1, 12);
  EXPECT_NEAR(share_tails(law, 12, 0, 0).lower, none, kPowerError * none);
}

TEST(Share, GreaterShareIsNoDefect) {
  const Law law = share(0.9);
  EXPECT_EQ(share_tails(law, 1000, 1000, 0).upper, 1);
  EXPECT_FALSE(
      test(law, {.nu = 1000, .x = 1000}, {.alpha = 0.5, .beta = 0.5, .delta = 0.1}).refuted);
  EXPECT_EQ(share_tails(law, 1000, 1000, 0.1).lower, 0);
}

TEST(Share, TwentySuccessesExcludeAHalf) {
  // 2⁻²⁰ < 1e-6 < 2⁻¹⁹.
  const Law law = share(0.99);
  const Budget budget{.alpha = 1e-6, .beta = 1e-6, .delta = half(0.99)};
  EXPECT_TRUE(test(law, {.nu = 20, .x = 20}, budget).equivalent);
  EXPECT_FALSE(test(law, {.nu = 19, .x = 19}, budget).equivalent);
  EXPECT_FALSE(test(law, {.nu = 20, .x = 19}, budget).equivalent);
}

TEST(Share, FailuresAloneAreRefuted) {
  // 2 · 0.01⁴ < 1e-7 < 2 · 0.01³.
  const Law law = share(0.99);
  const Budget budget{.alpha = 1e-7, .beta = 1e-6, .delta = half(0.99)};
  EXPECT_TRUE(test(law, {.nu = 4, .x = 0}, budget).refuted);
  EXPECT_FALSE(test(law, {.nu = 3, .x = 0}, budget).refuted);
}

TEST(Share, OneOfTheTwoHoldsAtThePlannedSize) {
  const Budget budget{.alpha = 1e-11, .beta = 1e-6, .delta = half(0.99)};
  for (const double p0 : {0.8, 0.9, 0.99}) {
    const Law law = share(p0);
    const double nu = samples(law, budget);
    for (double x = 0; x <= nu; ++x) {
      const Finding finding = test(law, {.nu = nu, .x = x}, budget);
      EXPECT_TRUE(finding.refuted || finding.equivalent) << p0 << ' ' << x;
    }
  }
}

TEST(Share, ErrorRatesAreKeptAtThePlannedSize) {
  const double p0 = 0.95;
  const Law law = share(p0);
  const Budget budget{.alpha = 1e-5, .beta = 1e-4, .delta = half(p0)};
  const double nu = samples(law, budget);
  double false_alarm = 0;
  double missed = 0;
  const auto log_choose = [&](double x) {
    return std::lgamma(nu + 1) - std::lgamma(x + 1) - std::lgamma(nu - x + 1);
  };
  for (double x = 0; x <= nu; ++x) {
    const Finding finding = test(law, {.nu = nu, .x = x}, budget);
    if (finding.refuted) {
      false_alarm += std::exp(log_choose(x) + x * std::log(p0) + (nu - x) * std::log1p(-p0));
    }
    if (finding.equivalent) missed += std::exp(log_choose(x) - nu * std::log(2.0));
  }
  EXPECT_LE(false_alarm, budget.alpha);
  EXPECT_LE(missed, budget.beta);
  EXPECT_GT(missed, 0);
}

TEST(Share, IntervalHoldsTheEstimate) {
  const Law law = share(0.9);
  const Interval interval = share_interval(law, 30, 24, 1e-3);
  EXPECT_LT(interval.low, effect_estimate(law, 30, 24));
  EXPECT_GT(interval.high, effect_estimate(law, 30, 24));
  EXPECT_EQ(share_interval(law, 30, 0, 1e-3).low, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(0.9 * std::exp(share_interval(law, 30, 30, 1e-3).high), 1);
}

TEST(Share, LooksStopEarlyWhenAllSucceed) {
  const Plan plan = make_plan(share(0.99), {.alpha = 1e-11, .beta = 1e-6, .delta = half(0.99)}, 0);
  std::size_t look = 0;
  while (judge(plan, {.nu = plan.looks[look], .x = plan.looks[look]}, look).decision ==
         Decision::go_on) {
    ++look;
  }
  EXPECT_EQ(judge(plan, {.nu = plan.looks[look], .x = plan.looks[look]}, look).decision,
            Decision::verified);
  EXPECT_LT(plan.looks[look], plan.nu_planned());
}

}  // namespace
}  // namespace rootdk::stats
