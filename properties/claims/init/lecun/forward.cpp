#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::init::lecun::forward {
namespace {

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto n_out = block.integer("n_out");
  const auto rows = (n_in + 1) / 2;
  const Tensor x = block.draw("x", block.text("x_law"), rows, n_in);
  const Tensor w = block.matrix(n_in, n_out);
  block.forward("init", {.initialiser = "lecun_normal", .seed = block.seed("W")}, {}, {w});
  const Tensor y = block.matrix(rows, n_out);
  block.forward("linear", {}, {x, w}, {y});
  // Y = X W is a product whose right factor has iid entries of variance 1/n_in.
  block.chi_squared("gain", stats::whitened_scores({block.values(y), rows, n_out}, block.values(x),
                                                   1 / std::sqrt(static_cast<double>(n_in))));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With weights of variance 1/n_in a linear layer keeps the second moment of its "
          "input, for every n_in and whatever the input",
      .latex = R"(\operatorname{Var}(w) = \tfrac{1}{n_{in}} \;\Rightarrow\;
\mathbb E\,y_j^2 = n_{in}\cdot\tfrac1{n_{in}}\,\overline{x^2} = \overline{x^2})",
      .source = "section “The solution of initialisation: let Var(W) = 1/n_in”",
      .premise = "entries of W independent, normal, mean 0; x independent of W",
      .derivation =
          "Given x, y_j = Σ x_i w_ij is a sum of n_in independent terms of variance "
          "x_i²/n_in, so it is N(0, mean x²) exactly. Rows of one input share W; whitening "
          "by XXᵀ makes all outputs independent standard normals.",
      .method = "L: tr(Yᵀ(XXᵀ)⁻¹Y) n_in ~ χ²(rows · n_out)",
      .domain = Domain()
                    .integer("n_in", 1, 160)
                    .integer("n_out", 1, 64)
                    .choice("x_law", {"normal", "uniform"}),
      .needs = {{"init"}, {"linear"}},
      .checks = {{.name = "gain", .law = stats::scale()}},
      .sample = sample,
      .defects = {"init.fans_swapped"},
  };
}

}  // namespace rootdk::claims::init::lecun::forward
