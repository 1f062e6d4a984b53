#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::init::lecun::backward {
namespace {

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto n_out = block.integer("n_out");
  const auto rows = (n_out + 1) / 2;
  const Tensor x = block.normal("x", rows, n_in);
  const Tensor w = block.matrix(n_in, n_out);
  block.forward("init", {.initialiser = "lecun_normal", .seed = block.seed("W")}, {}, {w});
  const Tensor dy = block.draw("dy", block.text("dy_law"), rows, n_out);
  const Tensor dx = block.matrix(rows, n_in);
  const Tensor dw = block.matrix(n_in, n_out);
  block.backward("linear", {}, {x, w, dy}, {dx, dw});
  // dX = dY Wᵀ; an entry of Wᵀ has variance 1/n_in, a row of dY has n_out entries.
  block.chi_squared("gain", stats::whitened_scores({block.values(dx), rows, n_in}, block.values(dy),
                                                   1 / std::sqrt(static_cast<double>(n_in))));
}

double gain(const Configuration& at) {
  return static_cast<double>(at.integer("n_out")) / static_cast<double>(at.integer("n_in"));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With weights of variance 1/n_in the second moment of the gradient is multiplied "
          "by n_out/n_in on its way back: kept only by square layers",
      .latex = R"(\mathbb E\,(dx_i)^2 = n_{out}\cdot\tfrac{1}{n_{in}}\;\overline{dy^2})",
      .source = "section “A more refined version”",
      .premise = "entries of W independent, normal, mean 0; dy independent of W",
      .derivation =
          "dx = dy Wᵀ sums over the n_out columns of W, so the backward pass sees the other "
          "fan: n_out terms of variance 1/n_in each. One variance cannot serve both "
          "directions unless n_in = n_out.",
      .method = "L: tr(dXᵀ(dY dYᵀ)⁻¹dX) n_in ~ χ²(rows · n_in)",
      .domain = Domain()
                    .integer("n_in", 1, 64)
                    .integer("n_out", 1, 160)
                    .choice("dy_law", {"normal", "uniform"}),
      .needs = {{"init"}, {"linear", Pass::backward}},
      .checks = {{.name = "gain", .law = stats::scale(), .expected = gain}},
      .sample = sample,
      .defects = {"init.fans_swapped"},
  };
}

}  // namespace rootdk::claims::init::lecun::backward
