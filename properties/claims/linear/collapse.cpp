#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/properties/signed_permutation.hpp>

#include <fmt/format.h>

namespace rootdk::claims::linear::collapse {
namespace {

constexpr std::int64_t kLast = 11;
constexpr double kTenthLayer = 5.12e-7;

void sample(Block& block) {
  const std::int64_t n = block.integer("width");
  Tensor y = block.draw("layer 1", "two_point", block.integer("rows"), n);
  double power = 1;
  for (std::int64_t layer = 1; layer <= kLast; ++layer) {
    // Two roundings a layer: of the weight, which is not 1/5, and of the product. One more is of
    // the expected value, and one covers their products, (1 + u)^20 − 1 < 21 u.
    const double tolerance = 2 * static_cast<double>(layer - 1) + 2;
    const double expected = 1 / power;
    const Magnitudes size = magnitudes(block.values(y));
    const std::string where = fmt::format("layer {}", layer);
    block.close("decay", size.least, expected, expected, tolerance, where);
    block.close("decay", size.greatest, expected, expected, tolerance, where);
    if (layer == 10) {
      block.close("layer 10", size.greatest, kTenthLayer, kTenthLayer, tolerance, where);
    }
    const Tensor x = y;
    y = block.matrix(x.rows(), n);
    const Tensor w = signed_permutation(block, fmt::format("W{}", layer), n, 0.2);
    block.forward("linear", {}, {x, w}, {y});
    power *= 5;
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "With a standard deviation a fifth as large at every layer, and 1 at layer 1, layer "
          "10 has 5⁻⁹ = 5.12e-7",
      .latex =
          R"(\operatorname{std}_l = 5^{-(l-1)},\qquad \operatorname{std}_{10} = 5.12\times10^{-7})",
      .source = "section “Why initialisation matters”, case 2",
      .premise = "every layer multiplies the standard deviation by 0.2",
      .derivation =
          "Nine multiplications lie between layer 1 and layer 10: 0.2⁹ = 5.12e-7, five times "
          "what the source prints, which is 0.2¹⁰ = 1.024e-7, rounded.",
      .erratum = Erratum{.says = "layer 10 has standard deviation 0.0000001",
                         .holds = "layer 10 has 0.2⁹ = 5.12e-7; 1.02e-7 is layer 11"},
      .method = "I: signed permutations times 0.2, two roundings a layer",
      .domain = Domain()
                    .choice("dtype", {"f64", "f32", "bf16"})
                    .integer("width", 1, 48)
                    .integer("rows", 1, 6),
      .needs = {{"linear"}},
      .checks = {{.name = "decay", .law = stats::bound()},
                 {.name = "layer 10", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.linear_flushes_small", "numbers.linear_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::collapse
