#include <rootdk/reports/compare.hpp>
#include <rootdk/reports/sample_test.ipp>
#include <rootdk/stats/distributions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

namespace rootdk::reports {
namespace {

Result with_test(double estimate, double nu) {
  Result result = sample_result();
  result.claims.resize(1);
  TestRecord& test = result.claims[0].pooled[0];
  test.estimate = estimate;
  test.nu_first = nu;
  test.statistic_first = nu * estimate / test.expected;
  return result;
}

TEST(Compare, FindsNothingInTheSameResult) {
  const Comparison comparison = compare(sample_result(), sample_result());
  EXPECT_TRUE(comparison.changes.empty());
  EXPECT_FALSE(is_regression(comparison));
  EXPECT_GT(comparison.tests, 0U);
}

TEST(Compare, FindsAShiftByTheExactLawOfTwoVariances) {
  // F(2, 2) has P(F > r) = 1/(1 + r): at r = 999 the two-sided p is 2/1000.
  const Comparison comparison = compare(with_test(2, 2), with_test(2 * 999, 2), 0.005);
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].kind, Change::Kind::shifted_away);
  EXPECT_DOUBLE_EQ(comparison.changes[0].p, 2.0 / 1000);
  EXPECT_TRUE(is_regression(comparison));
  EXPECT_TRUE(compare(with_test(2, 2), with_test(2 * 999, 2), 0.003).changes.empty());
}

TEST(Compare, AShiftTowardsTheClaimIsNoRegression) {
  const Comparison comparison = compare(with_test(2.5, 1e6), with_test(2, 1e6));
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].kind, Change::Kind::shifted_back);
  EXPECT_FALSE(is_regression(comparison));
}

TEST(Compare, TestsCountsByTheirExactIntervals) {
  const auto counts = [](double successes) {
    Result result = with_test(2, 1024);
    TestRecord& test = result.claims[0].pooled[0];
    test.law = "binomial";
    test.expected = 0.5;
    test.unit = 0.5;
    test.statistic_first = successes;
    test.estimate = successes / 1024;
    return result;
  };
  EXPECT_TRUE(compare(counts(512), counts(530)).changes.empty());
  const Comparison comparison = compare(counts(512), counts(1024));
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].kind, Change::Kind::shifted_away);
  // The whole interval of 1024 of 1024 reaches down to (α/4)^(1/1024), which at the α found is
  // below that of 512; the p-value is far beyond the share all the same.
  EXPECT_LT(comparison.changes[0].p, 1e-30);
}

/// Of `runs` pairs of results without a change, those in which a shift is reported at α = 0.1.
template <class Draw>
int false_alarms(int runs, const std::string& law, double nu, Draw&& draw) {
  int alarms = 0;
  for (int i = 0; i < runs; ++i) {
    Result results[2] = {with_test(2, nu), with_test(2, 2 * nu)};
    for (Result& result : results) {
      TestRecord& test = result.claims[0].pooled[0];
      test.law = law;
      test.statistic_first = draw(test.nu_first);
      // Of the configurations' tests, equal in both, none can alarm.
    }
    // Half of the α goes to the pooled tests, here one.
    alarms += compare(results[0], results[1], 0.2).changes.empty() ? 0 : 1;
  }
  return alarms;
}

TEST(Compare, FalseAlarmsAreAsDeclared) {
  std::mt19937_64 source(1);
  constexpr int runs = 4000;
  // Wrong with probability 1e-9 on each side for a rate of 0.1.
  const double least = stats::binomial_lower_quantile(runs, 0.1, 1e-9);
  const double most = stats::binomial_upper_quantile(runs, 0.1, 1e-9);
  const int variances = false_alarms(runs, "chi_squared", 12, [&](double nu) {
    return std::chi_squared_distribution<double>(nu)(source);
  });
  EXPECT_GE(variances, least);
  EXPECT_LE(variances, most);
  const int means = false_alarms(runs, "normal", 12, [&](double nu) {
    return std::normal_distribution<double>(0, std::sqrt(nu))(source);
  });
  EXPECT_GE(means, least);
  EXPECT_LE(means, most);
  const int counts = false_alarms(runs, "binomial", 40, [&](double nu) {
    return std::binomial_distribution<int>(static_cast<int>(nu), 0.3)(source);
  });
  EXPECT_LE(counts, most);
}

TEST(Compare, NamesClaimsThatFailOrPassAnew) {
  Result before = sample_result();
  Result after = sample_result();
  after.claims[0].verdict = Verdict::inconclusive;
  after.claims[1].verdict = Verdict::verified;
  after.claims[2].id = "depth.other";
  std::vector<TestRecord> tests = after.claims[4].configurations.all();
  tests[0].delta = 0.25;
  after.claims[4].configurations = TestList(tests);
  const Comparison comparison = compare(before, after);
  std::map<Change::Kind, int> kinds;
  for (const Change& change : comparison.changes) ++kinds[change.kind];
  EXPECT_EQ(comparison.changes.front().kind, Change::Kind::newly_failing);
  EXPECT_EQ(kinds[Change::Kind::newly_failing], 1);
  EXPECT_EQ(kinds[Change::Kind::newly_passing], 1);
  EXPECT_EQ(kinds[Change::Kind::appeared], 1);
  EXPECT_EQ(kinds[Change::Kind::vanished], 1);
  EXPECT_EQ(kinds[Change::Kind::plan], 1);
  EXPECT_NE(to_console(comparison).find("1 regressions, 4 other changes"), std::string::npos);
}

TEST(Compare, RefusesDifferentEfforts) {
  Result quick = sample_result();
  quick.run.effort = "quick";
  EXPECT_THROW(compare(quick, sample_result()), std::invalid_argument);
}

TEST(Compare, PassesOverWhatIsNotFinite) {
  EXPECT_NO_THROW(to_console(compare(hostile_result(), hostile_result())));
}

}  // namespace
}  // namespace rootdk::reports
