#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::residual_sum {
namespace {

double variance_of(const Configuration& at) { return std::stod(at.text("v")); }
double added(const Configuration& at) {
  return static_cast<double>(at.integer("L")) * variance_of(at);
}

/// Branches of inputs that are given: x_L − x_0 = Σ_l U_l W_l = [U_1 … U_L] [W_1; …; W_L].
void residual(Block& block, std::int64_t n, std::int64_t layers, double sd) {
  const std::int64_t m = n;
  const Tensor x = block.normal("x", m, n);
  const Tensor sum = block.matrix(m, n);
  const Tensor inputs = block.matrix(m, layers * n);
  copy(sum, x);
  for (std::int64_t l = 0; l < layers; ++l) {
    const Tensor u = unit_rms_rows(block, block.normal(fmt::format("u {}", l), m, n));
    const Tensor y = block.matrix(m, n);
    block.forward("linear", {}, {u, block.normal(fmt::format("W {}", l), n, n, sd)}, {y});
    add_scaled(sum, 1, y);
    copy(columns(inputs, l * n, n), u);
  }
  add_scaled(sum, -1, x);
  block.chi_squared("increment",
                    stats::whitened_scores({block.values(sum), m, n}, block.values(inputs), sd));
}

/// A plain stack of gain v: given the layer before, a layer's whitened rows are χ².
void plain(Block& block, std::int64_t n, std::int64_t layers, double sd) {
  const std::int64_t m = n / 4;
  Tensor x = block.normal("plain x", m, n);
  for (std::int64_t l = 0; l < layers; ++l) {
    const Tensor y = block.matrix(m, n);
    block.forward("linear", {}, {x, block.normal(fmt::format("W {}", l), n, n, sd)}, {y});
    block.chi_squared("stack",
                      stats::whitened_scores({block.values(y), m, n}, block.values(x), sd));
    x = y;
  }
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto layers = block.integer("L");
  const double sd = std::sqrt(variance_of(block.configuration()) / static_cast<double>(n));
  residual(block, n, layers, sd);
  plain(block, n, layers, sd);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "L residual branches of variance v, independent of what they are added to, give "
          "the variance 1 + Lv: linear in depth, where a plain stack of gain g has g^L",
      .latex = R"(\operatorname{Var}(x_L) = 1 + Lv \quad\text{against}\quad g^L)",
      .source = "section “Numerical stability in the forward pass”: residual connections",
      .premise =
          "Branch inputs of RMS 1 that do not depend on the stream; Gaussian weights of "
          "variance v/n",
      .derivation =
          "Variances of independent terms add, so each branch adds v, while in a plain "
          "stack each layer multiplies by g. Given the inputs the sum of all branches is "
          "one product of the row [u_1 … u_L] with stacked weights, hence exactly "
          "Gaussian.",
      .method =
          "L: whitened sum of the branches ~ χ²; layers of the plain stack, given the one before, "
          "~ χ²; S: "
          "slope 1 of the added variance against Lv",
      .domain = Domain().integer("n", 32, 96).integer("L", 1, 24).choice("v", {"0.25", "1", "2"}),
      .needs = {{"linear"}},
      .checks =
          // What matters is a gain that multiplies up over layers.
      {{.name = "increment", .law = stats::scale(), .expected = added, .delta_factor = 2.5},
       {.name = "stack", .law = stats::scale(), .expected = variance_of, .delta_factor = 2.5}},
      .slopes = {{.name = "exponent",
                  .check = "increment",
                  .x = added,
                  .group = [](const Configuration&) { return std::string("Lv"); },
                  .slope = [](const Configuration&) { return 1.0; }}},
      .sample = sample,
      .defects = {"numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::residual_sum
