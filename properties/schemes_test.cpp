#include <rootdk/properties/schemes.hpp>
#include <rootdk/properties/subject.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {
namespace {

class Schemes : public testing::Test {
 protected:
  Configuration configuration;
  Subject subject = library();
  Workspace workspace;
  std::array<std::string_view, 1> checks{"x"};
  std::vector<CheckEvidence> evidence{1};

  Block block(std::uint64_t number) {
    return Block(configuration, subject, {.seed = 1, .block = number}, Dtype::f64, checks,
                 workspace, evidence);
  }
};

SchemeCase case_of(std::string_view name, std::vector<double> parameters = {}) {
  return {.facts = &scheme(name),
          .parameters = std::move(parameters),
          .d_k = 12,
          .queries = 5,
          .keys = 7,
          .heads = 2,
          .layer = 3,
          .mask = {}};
}

/// Q, K and the scores of one block, and their sum of squares.
stats::ChiSquared squares(Block& block, const SchemeCase& at, double fault) {
  const Tensor q = block.normal("Q", at.queries, at.d_k, at.query_sd());
  const Tensor k = block.normal("K", at.keys, at.d_k);
  const Tensor s = block.matrix(at.queries, at.keys);
  forward_scores(block, at, q, k, s);
  multiply(s, fault);
  return standardised_scores(block, at, q, s);
}

TEST_F(Schemes, EveryEntryCountsOnce) {
  Block b = block(0);
  EXPECT_EQ(squares(b, case_of("qk_layer_norm"), 1).nu(), 35);
}

TEST_F(Schemes, AFactorOnTheScoresIsItsSquareInTheSum) {
  for (const SchemeFacts& facts : all_schemes()) {
    if (facts.capped) continue;
    std::vector<double> parameters;
    for (const SchemeParameter& p : facts.parameters) parameters.push_back(p.high);
    const SchemeCase at = case_of(facts.name, parameters);
    Block right = block(1);
    const double x = squares(right, at, 1).x();
    Block wrong = block(1);
    // A power of two is exact from end to end.
    EXPECT_EQ(squares(wrong, at, 2).x(), 4 * x) << facts.name;
  }
}

TEST_F(Schemes, NormedRowsWithTheirOwnLengthsGiveBackTheProduct) {
  // E X = ν whatever the norm: over 400 blocks of 35 the mean of X/ν has a standard deviation of
  // √(2/14000) = 0.012; six of them are never exceeded.
  for (const std::string_view name : {"qk_rms_norm", "qk_layer_norm", "cosine", "sqrt_dk"}) {
    const SchemeCase at =
        case_of(name, name == "cosine" ? std::vector{1.0} : std::vector<double>{});
    double sum = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      Block b = block(100 + i);
      sum += squares(b, at, 1).x();
    }
    EXPECT_NEAR(sum / (400 * 35), 1, 6 * std::sqrt(2.0 / (400 * 35))) << name;
  }
}

TEST_F(Schemes, QueriesWithoutVarianceAreLeftOut) {
  SchemeCase at = case_of("log_n", {1.0});
  at.mask.causal = true;
  at.queries = 7;
  // The first query sees one key.
  Block b = block(2);
  EXPECT_EQ(squares(b, at, 1).nu(), 42);
}

TEST_F(Schemes, AQueryWithoutVarianceMustHaveZeros) {
  SchemeCase at = case_of("log_n", {1.0});
  at.mask.causal = true;
  at.queries = 7;
  Block b = block(3);
  const Tensor q = b.normal("Q", at.queries, at.d_k);
  const Tensor s = b.normal("S", at.queries, at.keys);
  EXPECT_FALSE(std::isfinite(standardised_scores(b, at, q, s).x()));
}

TEST_F(Schemes, DomainHasAnAxisForEachParameter) {
  Domain domain;
  domain.integer("d_k", 1, 4).integer("n", 1, 4).integer("m", 1, 4);
  add_scheme_axes(domain, scheme("yarn"));
  const Configuration c = domain.parse("d_k=3,n=2,m=4,heads=5,layer=2,mask=both,s=64.5");
  const SchemeCase at = scheme_case(scheme("yarn"), c);
  EXPECT_EQ(at.parameters, std::vector{64.5});
  EXPECT_EQ(at.context(0).d_model, 15);
  EXPECT_EQ(at.context(1).keys, 3);
  EXPECT_TRUE(at.attributes().causal);
  ASSERT_EQ(at.attributes().key_lengths.size(), 1U);
  EXPECT_EQ(at.attributes().key_lengths[0], 3);
}

}  // namespace
}  // namespace rootdk
