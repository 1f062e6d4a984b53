#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/properties/signed_permutation.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rootdk::claims::linear::overflow_layer {
namespace {

struct Range {
  double greatest;     ///< greatest finite number of the dtype
  std::int64_t layer;  ///< that the statement gives
};

Range range(Dtype dtype) {
  switch (dtype) {
    case Dtype::f16:
      return {65504, 8};
    case Dtype::bf16:
      return {0x1.FEp127, 57};
    case Dtype::f32:
      return {0x1.FFFFFEp127, 57};
    default:
      return {0x1.FFFFFFFFFFFFFp1023, 443};
  }
}

void sample(Block& block) {
  const std::int64_t n = block.integer("width");
  const Range here = range(block.dtype());
  // 5^(l−1) > greatest. The logarithms to base 5 are 6.89, 55.12 (float, bfloat16) and 441.013, so
  // the values on either side of the limit are 1.2 times or 2 % away from it. The roundings of the
  // chain, followed by hand in bfloat16, leave 2.72e38 at layer 56; 441 of double are 5e-14.
  const auto predicted =
      static_cast<std::int64_t>(std::floor(std::log(here.greatest) / std::log(5.0))) + 2;
  block.holds("statement", predicted == here.layer, "layer by logarithm");
  Tensor y = block.draw("layer 1", "two_point", 1, n);
  std::int64_t first = 0;
  for (std::int64_t layer = 1; layer <= here.layer + 1 && first == 0; ++layer) {
    const bool finite = std::isfinite(magnitudes(block.values(y)).greatest);
    if (!finite) first = layer;
    if (layer == 10) block.holds("finite at layer 10", finite, "layer 10");
    const Tensor x = y;
    y = block.matrix(1, n);
    const Tensor w = signed_permutation(block, fmt::format("W{}", layer), n, 5);
    block.forward("linear", {}, {x, w}, {y});
  }
  if (block.dtype() == Dtype::f16) block.holds("finite at layer 10", first < 10, "fp16 overflows");
  block.holds("first overflow", first == here.layer,
              fmt::format("layer {}, expected {}", first, here.layer));
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "A standard deviation of 5^(l−1) first exceeds the range at layer 8 in fp16, 57 in "
          "float and bfloat16, 443 in double",
      .latex =
          R"(5^{\,l-1} > \max:\quad l = 8\ (\text{fp16}),\ 57\ (\text{fp32, bf16}),\ 443\ (\text{fp64}))",
      .source = "section “Why initialisation matters”, case 1",
      .premise = "standard deviation 1 at layer 1 and × 5 a layer",
      .derivation =
          "The first such layer is 2 + ⌊log₅ max⌋, and the greatest finite numbers are 65,504, "
          "about 3.4e38 and 1.8e308. At layer 10 the value is 1,953,125, far inside every "
          "range but that of fp16.",
      .erratum =
          Erratum{.says = "by layer 10 the numbers overflow and the loss becomes NaN",
                  .holds = "so in fp16 alone, from layer 8; float and bfloat16 overflow at layer "
                           "57, double at 443"},
      .method = "I: the layers are computed in each dtype until one is not finite",
      .domain = Domain().choice("dtype", {"f16", "bf16", "f32", "f64"}).integer("width", 1, 24),
      .needs = {{"linear"}},
      .checks = {{.name = "statement", .law = stats::bound()},
                 {.name = "finite at layer 10", .law = stats::bound()},
                 {.name = "first overflow", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.linear_saturates", "numbers.linear_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::overflow_layer
