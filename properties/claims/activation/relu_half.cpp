#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::activation::relu_half {
namespace {

constexpr std::int64_t kUnits = 256;

double blocked(Block& block, std::string_view op, const Tensor& z, const Tensor& dy) {
  const Tensor dz = block.matrix(1, kUnits);
  block.backward(op, {}, {z, dy}, {dz});
  double count = 0;
  for (const double slope : block.values(dz)) count += slope == 0 ? 1 : 0;
  return count;
}

void sample(Block& block) {
  const auto n = block.integer("n_in");
  const Tensor x = block.draw("x", block.text("law"), 1, n);
  set_element(x, 0, 0, 1);  // never the zero row
  const Tensor w = block.normal("W", n, kUnits, 1 / std::sqrt(static_cast<double>(n)));
  const Tensor z = block.matrix(1, kUnits);
  block.forward("linear", {}, {x, w}, {z});
  const Tensor dy = block.normal("dy", 1, kUnits);
  block.count("blocked", static_cast<double>(kUnits), blocked(block, "relu", z, dy));
  block.holds("silu_passes", blocked(block, "silu", z, dy) == 0, "a unit without gradient");
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Given one input row, ReLU blocks the gradient of each unit with probability "
          "½, independently, Bin(n, ½) of them in all; SiLU blocks none",
      .latex = R"(\#\{j : \mathrm{relu}'(z_j) = 0\} \sim \mathrm{Bin}(n, \tfrac12))",
      .source = "section “Gradient stability in the backward pass”: SiLU instead of ReLU",
      .premise = "z = xW, W with independent columns of a symmetric law, one x per draw of W",
      .derivation =
          "Given x, the z_j are independent and symmetric about 0, and ReLU's slope is 0 "
          "for z < 0. SiLU's slope is 0 at one point only, which has probability 0. That "
          "half the units pass nothing for this x is no fault: others see another half.",
      .method = "L: exact binomial count of zero gradients",
      .domain = Domain().integer("n_in", 1, 16).choice("law", {"normal", "uniform", "two_point"}),
      .needs = {{"linear"}, {"relu", Pass::backward}, {"silu", Pass::backward}},
      // A slope that is open or shut for the wrong units is off by half a standard deviation and more.
      .checks = {{.name = "blocked", .law = stats::proportion(0.5), .delta_factor = 2},
                 {.name = "silu_passes", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.relu_open"},
  };
}

}  // namespace rootdk::claims::activation::relu_half
