#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/figures.hpp>
#include <rootdk/properties/figures/curves.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace rootdk::figures_of {
namespace {

const reports::SeriesRecord& named(const Curves& curves, const std::string& name) {
  for (const auto& curve : curves) {
    if (curve.name == name) return curve;
  }
  throw std::invalid_argument("no curve " + name);
}

TEST(Figures, DensityOfTwoDimensionsIsLaplace) {
  // q·k in two dimensions has the Laplace law e^−|s|/2; here x = s/√2.
  const Curves curves = score_density(library(), Dtype::f64, 1);
  const auto& exact = named(curves, "score density | d_k = 2 | exact");
  // The integral is cut where 2e-12 of the χ² law lies beyond, and is singular at 0 there.
  constexpr double cut = 1e-5;
  for (std::size_t i = 0; i < exact.x.size(); ++i) {
    const double expected =
        std::exp(-std::numbers::sqrt2 * std::abs(exact.x[i])) / std::numbers::sqrt2;
    EXPECT_NEAR(exact.y[i], expected, cut) << exact.x[i];
  }
}

TEST(Figures, HistogramLiesOnItsDensity) {
  const Curves curves = score_density(library(), Dtype::f64, 1);
  for (const char* panel : {"d_k = 2", "d_k = 64"}) {
    const std::string prefix = std::string("score density | ") + panel;
    const auto& exact = named(curves, prefix + " | exact");
    const auto& seen = named(curves, prefix + " | observed");
    int outside = 0;
    for (std::size_t i = 0; i < exact.x.size(); ++i) {
      // The density within a bin of width 0.2 curves by up to f″·w²/24 (and has a peak at 0).
      const double bend = 0.01;
      outside += exact.y[i] < seen.low[i] - bend || exact.y[i] > seen.high[i] + bend ? 1 : 0;
    }
    // Of 40 intervals of 99 %, six outside have a probability of 4e-6.
    EXPECT_LE(outside, 5) << panel;
  }
}

TEST(Figures, PreNormGrowsByOneALayer) {
  // E mean square after L layers is 1 + L (each branch has mean square 1 and is independent).
  const Curves curves = depth(library(), Dtype::f64, 1);
  const auto& seen = named(curves, "depth | variance of the output | pre-norm, x ← x + N(x)W");
  for (std::size_t i = 0; i < seen.x.size(); ++i) {
    // The interval holds 99 %; three times its width is eight standard errors.
    const double error = 3 * (seen.high[i] - seen.y[i]);
    EXPECT_NEAR(seen.y[i], 1 + seen.x[i], error);
  }
}

TEST(Figures, ScalingKeepsEntropy) {
  const Curves curves = attention(library(), Dtype::f64, 1);
  const auto& scaled = named(curves, "attention | entropy / ln n | scaled by 1/√d_k");
  const auto& raw = named(curves, "attention | entropy / ln n | unscaled");
  EXPECT_GT(scaled.low.back(), 0.5);
  EXPECT_LT(raw.high.back(), 0.5);
}

TEST(Figures, AreAFunctionOfTheSeedAndAbsentWhereOperationsAre) {
  EXPECT_EQ(attention(library(), Dtype::f64, 3)[0].y, attention(library(), Dtype::f64, 3)[0].y);
  EXPECT_NE(attention(library(), Dtype::f64, 3)[0].y, attention(library(), Dtype::f64, 4)[0].y);
  EXPECT_TRUE(rootdk::figures("scores.scaled_variance", Subject("nothing"), 1).empty());
  EXPECT_TRUE(rootdk::figures("no.claim", library(), 1).empty());
}

}  // namespace
}  // namespace rootdk::figures_of
