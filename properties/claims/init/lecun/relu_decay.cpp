#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>

#include <cmath>
#include <vector>

namespace rootdk::claims::init::lecun::relu_decay {
namespace {

// Enough chains a block that one of them is alive.
constexpr std::int64_t kChains = 64;

void chain(Block& block, Tensor a, Stream& seeds) {
  const auto n = block.integer("n");
  const auto layers = block.integer("layers");
  double norm = squared_norm(block.values(a));
  // A layer in which no unit is positive ends the chain: everything after it is 0.
  for (std::int64_t l = 0; l < layers && norm > 0; ++l) {
    const Tensor w = block.matrix(n, n);
    block.forward("init", {.initialiser = "lecun_normal", .seed = seeds()}, {}, {w});
    const Tensor z = block.matrix(1, n);
    const Tensor y = block.matrix(1, n);
    block.forward("linear", {}, {a, w}, {z});
    block.forward("relu", {}, {z}, {y});
    // Given the layer before, z is iid N(0, ‖a‖²/n).
    const double sigma = std::sqrt(norm / static_cast<double>(n));
    std::vector<double> positive;
    for (const double value : block.values(y)) {
      if (value > 0) positive.push_back(value);
    }
    block.count("positives", static_cast<double>(n), static_cast<double>(positive.size()));
    block.chi_squared("layer", stats::sum_of_squares(stats::Independent{positive}, sigma));
    a = y;
    norm = squared_norm(block.values(y));
  }
}

void sample(Block& block) {
  const Tensor x = block.normal("x", {1, kChains, 1, block.integer("n")});
  Stream seeds = block.stream("W");
  for (std::int64_t i = 0; i < kChains; ++i) chain(block, matrix(x, 0, i), seeds);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With weights of variance 1/n_in, every ReLU layer halves the second moment: after "
          "L layers it is 2^−L of the input's",
      .latex = R"(\mathbb E\,\|a_L\|^2 = 2^{-L}\,\|x\|^2)",
      .source = "section “A more refined version”",
      .premise = "square layers, independent normal weights",
      .derivation =
          "Given a_{l−1}, the pre-activations are iid N(0, mean a²), and ReLU keeps each "
          "with probability ½: E‖a_l‖² = ½‖a_{l−1}‖². The factor ½ is the same at every "
          "layer, so the decay is exponential: 2⁻¹⁰ ≈ 0.001 after ten.",
      .method =
          "L: of each layer given the one before, positives ~ Bin(n, ½), their squares ~ χ²(P)",
      .domain = Domain().integer("n", 2, 8).integer("layers", 1, 10),
      .needs = {{"init"}, {"linear"}, {"relu"}},
      // Layers are small, so that draws are cheap; a factor of ½ is no subtle effect.
      .checks = {{.name = "layer", .law = stats::scale(), .delta_factor = 2},
                 {.name = "positives", .law = stats::proportion(0.5), .delta_factor = 2}},
      .sample = sample,
      .defects = {"init.silent_default"},
  };
}

}  // namespace rootdk::claims::init::lecun::relu_decay
