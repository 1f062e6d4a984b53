#include <rootdk/properties/gradient/draw.hpp>
#include <rootdk/properties/gradient/witness.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace rootdk {
namespace {

/// Attention with a scheme on data of one kind, three queries of three keys.
GradientCase attention_case(const std::string& scheme, const std::string& data) {
  const auto operation = std::ranges::find(scheme_operations(), scheme, &Operation::name);
  Stream source(1);
  Configuration c = draw_configuration(operation->domain, source);
  c.set("dtype", std::string("f64"));
  c.set("data", data);
  for (const char* field : {"n", "m", "d"}) c.set(field, std::int64_t{3});
  for (const char* field : {"causal", "padding", "small_cotangent"}) c.set(field, std::int64_t{0});
  return draw_gradient_case(*operation, c, [](std::string_view role) {
    return Stream(Address{.seed = 1, .role = hash(role)});
  });
}

// Rows of one direction have cosines of ±1, an extremum, and the gradient of their factor is a sum of
// dS that is 0: no change of the inputs shows in it. The rounding of dS does, in every algorithm.
TEST(Conditioning, FollowsTheRoundingOfIntermediateResults) {
  const GradientCase at = attention_case("cosine", "constant_rows");
  const std::array<std::uint64_t, 16> seeds{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const RoundingBounds rounding = backward_rounding(at);
  const std::vector<Values> scales = conditioning(at, seeds);
  ASSERT_EQ(at.instance.inputs.back().name, "parameters");
  // Both are root mean squares of sums over the same roundings, of which the running error counts
  // those of every operation.
  EXPECT_GT(scales.back()[0], rounding.spread.back()[0] / 100);
  EXPECT_LT(scales.back()[0], rounding.spread.back()[0]);
}

}  // namespace
}  // namespace rootdk
