#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/properties/signed_permutation.hpp>

#include <fmt/format.h>

namespace rootdk::claims::linear::explosion {
namespace {

// Layer 1 has standard deviation 1. Powers of five are integers below 2^24 up to layer 11: exact in
// float as in double.
constexpr std::int64_t kLast = 11;
constexpr double kTenthLayer = 1'953'125;
constexpr double kEleventhLayer = 9'765'625;

void sample(Block& block) {
  const std::int64_t n = block.integer("width");
  Tensor y = block.draw("layer 1", "two_point", block.integer("rows"), n);
  double expected = 1;
  for (std::int64_t layer = 1; layer <= kLast; ++layer) {
    const Magnitudes size = magnitudes(block.values(y));
    block.holds("growth", size.least == expected && size.greatest == expected,
                fmt::format("layer {}: {}, expected {}", layer, size.greatest, expected));
    if (layer == 10) block.holds("layer 10", size.greatest == kTenthLayer, "1,953,125");
    if (layer == 11) block.holds("layer 11", size.greatest == kEleventhLayer, "9,765,625");
    const Tensor x = y;
    y = block.matrix(x.rows(), n);
    const Tensor w = signed_permutation(block, fmt::format("W{}", layer), n, 5);
    block.forward("linear", {}, {x, w}, {y});
    expected *= 5;
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "With a standard deviation five times as large at every layer, and 1 at layer 1, "
          "layer 10 has 5⁹ = 1,953,125",
      .latex = R"(\operatorname{std}_l = 5^{\,l-1},\qquad \operatorname{std}_{10} = 5^9)",
      .source = "section “Why initialisation matters”, case 1",
      .premise = "every layer multiplies the standard deviation by 5",
      .derivation =
          "Between layer 1 and layer 10 there are nine multiplications, not ten: the source's "
          "own list, 1, 5, 25, reaches 5^(l−1) at layer l.",
      .erratum = Erratum{.says = "layer 10 has standard deviation 9,765,625 (= 5¹⁰)",
                         .holds = "layer 10 has 5⁹ = 1,953,125; 9,765,625 is layer 11"},
      .method = "I: signed permutations times 5 multiply every magnitude without rounding",
      .domain =
          Domain().choice("dtype", {"f64", "f32"}).integer("width", 1, 48).integer("rows", 1, 6),
      .needs = {{"linear"}},
      .checks = {{.name = "growth", .law = stats::bound()},
                 {.name = "layer 10", .law = stats::bound()},
                 {.name = "layer 11", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.linear_root_fan", "numbers.linear_saturates",
                  "numbers.linear_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::linear::explosion
