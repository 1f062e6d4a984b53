#include <rootdk/properties/claim.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rootdk::claims::depth::prenorm_forward {
namespace {

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto layers = block.integer("L");
  const double sd = 1 / std::sqrt(static_cast<double>(n));
  const Tensor gamma = block.matrix(1, n);
  fill(gamma, 1);
  const Tensor x = block.normal("x", 1, n);
  const Tensor sum = block.matrix(1, n);
  fill(sum, 0);
  for (std::int64_t l = 0; l < layers; ++l) {
    const Tensor normed = block.matrix(1, n);
    const Tensor y = block.matrix(1, n);
    block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {normed});
    block.forward("linear", {}, {normed, block.normal(fmt::format("W {}", l), n, n, sd)}, {y});
    block.chi_squared("branch", stats::sum_of_squares(stats::Independent{block.values(y)}, 1));
    add_scaled(x, 1, y);
    add_scaled(sum, 1, y);
  }
  const auto depth = static_cast<double>(layers);
  block.chi_squared("increment",
                    stats::sum_of_squares(stats::Independent{block.values(sum)}, std::sqrt(depth)));
  block.chi_squared(
      "stream", stats::sum_of_squares(stats::Independent{block.values(x)}, std::sqrt(1 + depth)));
}

}  // namespace

Claims claim() {
  const auto depth = [](const Configuration& at) { return static_cast<double>(at.integer("L")); };
  return Claim{
      .statement =
          "Pre-norm layers x ← x + rms(x)W add independent N(0, I) branches whatever came "
          "before, so that ‖x_L − x_0‖²/L ~ χ²(n) and the mean square is 1 + l after l "
          "layers",
      .latex = R"(\|x_L - x_0\|^2/L \sim \chi^2(n),\quad \mathbb E\,\overline{x_l^2} = 1 + l)",
      .source = "section “Gradient stability in the backward pass”: pre-norm instead of post-norm",
      .premise = "Gaussian W of variance 1/n, drawn anew in each layer; ε = 0, γ = 1",
      .derivation =
          "Given all that came before, rms(x) is a fixed row of length √n, and its product "
          "with a fresh Gaussian matrix is N(0, I): the same law for every past, hence "
          "independent of it. The norm keeps each branch at 1, so the stream grows "
          "linearly.",
      .method = "L: χ² of the branches, of their sum, and of the stream",
      .domain = Domain().integer("n", 16, 80).integer("L", 1, 12),
      .needs = {{"rms_norm"}, {"linear"}},
      // The sum has one value where the branches have L: what matters is a gain that multiplies up.
      .checks = {{.name = "branch", .law = stats::scale(), .delta_factor = 2},
                 {.name = "increment", .law = stats::scale(), .expected = depth, .delta_factor = 5},
                 {.name = "stream",
                  .law = stats::scale(),
                  .expected = [depth](const Configuration& at) { return 1 + depth(at); },
                  .delta_factor = 5}},
      .sample = sample,
      .defects = {"numbers.length_one", "numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::prenorm_forward
