#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/test.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rootdk::stats {
namespace {

constexpr double kBeta = 1e-6;

/// Degrees of freedom of a χ² test at β = 1e-6, computed with another implementation of the
/// distribution (SciPy) and given to 1e-5 relative.
struct PlannedScale {
  double delta, alpha, nu;
};
constexpr PlannedScale kPlanned[] = {
    {0.01, 1e-6, 1879079},
    {0.01, 1e-9, 2382661},
    {0.01, 1e-6 / 15000, 2569532},
    {0.01, 1e-6 / 30000, 2616635},
    {0.05, 1e-6, 78143},
    {0.05, 1e-9, 98944},
    {0.05, 1e-6 / 15000, 106659},
    {0.05, 1e-6 / 30000, 108603},
    {0.10, 1e-6, 20475},
    {0.10, 1e-9, 25881},
    {0.10, 1e-6 / 15000, 27885},
    {0.10, 1e-6 / 30000, 28390},
    {1.0, 1e-6, 389},
    {1.0, 1e-9, 481},
    {1.0, 1e-6 / 15000, 515},
    {1.0, 1e-6 / 30000, 523},
};
// The table's rounding to an integer plus its stated relative accuracy.
constexpr double kTableRelative = 1e-5;

TEST(ScaleSamples, AgreeWithAnIndependentTable) {
  for (const PlannedScale& row : kPlanned) {
    const double nu = samples(scale(), {.alpha = row.alpha, .beta = kBeta, .delta = row.delta});
    EXPECT_NEAR(nu, row.nu, 1 + kTableRelative * row.nu) << row.delta << ' ' << row.alpha;
  }
}

TEST(ScaleSamples, AreFewerForASmallerVariance) {
  // At −5 % the table has 98,804 for α = 1e-6/30000: `samples` must take the larger, +5 %.
  const double alpha = 1e-6 / 30000;
  const double nu = 98804 * (1 + kTableRelative) + 1;
  const double low = critical(scale(), nu, alpha / 2).low;
  EXPECT_LE(tails(scale(), nu, low, -0.05).upper, kBeta);
  const double fewer = 98804 * (1 - kTableRelative) - 1;
  EXPECT_GT(tails(scale(), fewer, critical(scale(), fewer, alpha / 2).low, -0.05).upper, kBeta);
}

TEST(ScaleTest, RefutesAtExactlyItsLevel) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
  const double nu = 1000;
  const Interval limits = critical(scale(), nu, budget.alpha / 2);
  // One part in 1e9 on either side of the quantile, far more than the quantile's own error.
  constexpr double step = 1e-9;
  EXPECT_TRUE(test(scale(), {.nu = nu, .x = limits.high * (1 + step)}, budget).refuted);
  EXPECT_FALSE(test(scale(), {.nu = nu, .x = limits.high * (1 - step)}, budget).refuted);
  EXPECT_TRUE(test(scale(), {.nu = nu, .x = limits.low * (1 - step)}, budget).refuted);
  EXPECT_FALSE(test(scale(), {.nu = nu, .x = limits.low * (1 + step)}, budget).refuted);
}

TEST(ScaleTest, SaysOneOrTheOtherAtThePlannedSize) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
  const double nu = samples(scale(), budget);
  for (int i = -100; i <= 100; ++i) {
    const Finding finding = test(scale(), {.nu = nu, .x = nu * (1 + 0.001 * i)}, budget);
    EXPECT_TRUE(finding.refuted || finding.equivalent) << i;
  }
}

TEST(ScaleTest, ToleratesTheKnownBiasAndNoMore) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05, .bias = 0.02};
  const double nu = samples(scale(), budget);
  EXPECT_FALSE(test(scale(), {.nu = nu, .x = nu * 1.02}, budget).refuted);
  EXPECT_FALSE(test(scale(), {.nu = nu, .x = nu * 0.98}, budget).refuted);
  EXPECT_TRUE(test(scale(), {.nu = nu, .x = nu * 1.06}, budget).refuted);
}

TEST(AnyTest, RefutesWhatIsNotFinite) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const Law& law : {scale(), location(), bound(), moment(1, 1)}) {
    EXPECT_TRUE(test(law, {.nu = 100, .x = nan}, budget).refuted) << name(law.kind);
    EXPECT_TRUE(test(law, {.nu = 100, .x = inf}, budget).refuted) << name(law.kind);
  }
}

TEST(AnyTest, SaysNothingOfNothing) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
  for (const Law& law : {scale(), location(), bound(), shape(), extreme(), proportion(0.5)}) {
    const Finding finding = test(law, {}, budget);
    EXPECT_FALSE(finding.refuted) << name(law.kind);
    EXPECT_FALSE(finding.equivalent) << name(law.kind);
  }
}

TEST(AnyTest, HasThePowerThatItsPlanPromises) {
  for (const Law& law : {scale(), location(), proportion(0.3), moment(0.6, 1), extreme()}) {
    const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.1};
    const double nu = samples(law, budget);
    EXPECT_GE(detection_probability(law, nu, budget.delta, budget.alpha), 1 - kBeta)
        << name(law.kind);
    EXPECT_GE(detection_probability(law, nu, -budget.delta, budget.alpha), 1 - kBeta)
        << name(law.kind);
  }
}

TEST(SmallestEffect, IsTheInverseOfSamples) {
  for (const Law& law : {scale(), location(), shape(), extreme()}) {
    const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
    const double nu = samples(law, budget);
    const double delta = smallest_effect(law, nu, budget.alpha, budget.beta);
    EXPECT_LE(delta, budget.delta) << name(law.kind);
    EXPECT_GT(smallest_effect(law, nu - 1, budget.alpha, budget.beta), delta) << name(law.kind);
  }
}

TEST(PooledTest, SeesUnderHalfAPercentInAHundredFullConfigurations) {
  // 108,603 degrees of freedom in each of 100 configurations see a common 0.46 %.
  const double delta = smallest_effect(scale(), 100 * 108603.0, 1e-9, kBeta);
  EXPECT_GT(delta, 0.0045);
  EXPECT_LT(delta, 0.0047);
}

TEST(Samples, RefusesAMeaninglessBudget) {
  EXPECT_THROW(samples(scale(), {.alpha = 0, .beta = kBeta, .delta = 0.1}), std::invalid_argument);
  EXPECT_THROW(samples(scale(), {.alpha = 1e-6, .beta = 1, .delta = 0.1}), std::invalid_argument);
  EXPECT_THROW(samples(scale(), {.alpha = 1e-6, .beta = kBeta, .delta = 0}), std::invalid_argument);
  EXPECT_THROW(samples(scale(), {.alpha = 1e-6, .beta = kBeta, .delta = std::nan("")}),
               std::invalid_argument);
  EXPECT_THROW(samples(scale(), {.alpha = 1e-6, .beta = kBeta, .delta = 0.1, .bias = 0.1}),
               std::invalid_argument);
}

TEST(Extreme, IsRefutedByOneValueOnTheBound) {
  const Budget budget{.alpha = 1e-11, .beta = kBeta, .delta = 0.05};
  const double nu = samples(extreme(), budget);
  EXPECT_TRUE(test(extreme(), {.nu = nu, .x = 1}, budget).refuted);
  EXPECT_TRUE(test(extreme(), {.nu = nu, .x = 1.5}, budget).refuted);
  EXPECT_FALSE(test(extreme(), {.nu = nu, .x = 1 - 1 / nu}, budget).refuted);
  EXPECT_TRUE(test(extreme(), {.nu = nu, .x = 0.9}, budget).refuted);
}

TEST(Moment, ChargesItsOwnError) {
  const Budget budget{.alpha = 1e-9, .beta = kBeta, .delta = 0.05};
  // √8 is the skewness of a squared normal value. The charge makes the test need more samples.
  EXPECT_GT(samples(moment(std::sqrt(8.0), 12), budget), samples(location(), budget));
  EXPECT_EQ(samples(moment(0, 0), budget), samples(location(), budget));
}

TEST(Moment, BoundsTheTrueTailOfSquaredNormals) {
  // Σ (z² − 1)/√2 of n normals is (χ²(n) − n)/√(2n) standardised, so the exact tail is known.
  const Law law = moment(std::sqrt(8.0), 12);
  for (const double n : {1000.0, 10000.0, 100000.0}) {
    for (const double z : {3.0, 5.0, 6.0}) {
      const double charged = tails(law, n, z * std::sqrt(n), 0).upper;
      const double exact = chi_squared_upper(n, n + z * std::sqrt(2 * n));
      EXPECT_GE(charged, exact) << n << ' ' << z;
    }
  }
}

TEST(Proportion, UsesExactTails) {
  const Law law = proportion(0.5);
  // P(X ≥ 10) of Bin(10, ½) = 2^−10.
  EXPECT_DOUBLE_EQ(tails(law, 10, 10, 0).upper, 0x1p-10);
  EXPECT_DOUBLE_EQ(tails(law, 10, 0, 0).lower, 0x1p-10);
  // Clopper–Pearson limits of 0 of n: 1 − tail^(1/n).
  const double high = effect_interval(law, 20, 0, 0.025).high * law.unit + law.p0;
  EXPECT_NEAR(high, 1 - std::pow(0.025, 1.0 / 20), 1e-12);
}

TEST(LogP, ContinuesWhereTheTailUnderflows) {
  // ln Q(ν/2, x/2) by Temme's leading term is within 1 % of its logarithm so far out.
  const double nu = 100000;
  const double x = 3 * nu;
  const double log10_tail = log10_p(scale(), nu, x);
  const double eta2 = x / nu - 1 - std::log(x / nu);
  EXPECT_TRUE(std::isfinite(log10_tail));
  EXPECT_NEAR(log10_tail / (-nu / 2 * eta2 / std::log(10.0)), 1, 0.01);
  EXPECT_LT(log10_p(location(), 100, 1000), -2000);
}

TEST(UniformDistance, IsKolmogorovs) {
  std::vector<double> values{0.9, 0.1, 0.5};
  // F₃ jumps at .1, .5, .9: the largest gap is 1/3 − .1 = 2/3 − .5 + … = .2333 at .9 and .1.
  EXPECT_NEAR(uniform_distance(values), 1.0 / 3 - 0.1, 1e-15);
}

}  // namespace
}  // namespace rootdk::stats
