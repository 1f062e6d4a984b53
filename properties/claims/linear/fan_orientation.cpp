#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::linear::fan_orientation {
namespace {

double fan(const Configuration& at, std::string_view name) {
  return static_cast<double>(at.integer(name));
}

void sample(Block& block) {
  const std::int64_t n_in = block.integer("n_in");
  const std::int64_t n_out = block.integer("n_out");
  const double fan_in = fan(block.configuration(), "n_in");
  const double fan_out = fan(block.configuration(), "n_out");
  const Tensor x = block.normal("x", 1, n_in);
  const Tensor w = block.matrix(n_in, n_out);
  const Tensor y = block.matrix(1, n_out);

  const Attributes swapped{.initialiser = "lecun_normal",
                           .fan_in = fan_out,
                           .fan_out = fan_in,
                           .seed = block.seed("swapped")};
  block.forward("init", swapped, {}, {w});
  block.forward("linear", {}, {x, w}, {y});
  block.chi_squared("fans swapped",
                    stats::linear_output(block.values(y), block.values(x), 1 / std::sqrt(fan_out)));

  block.forward("init", {.initialiser = "lecun_normal", .seed = block.seed("W")}, {}, {w});
  block.forward("linear", {}, {x, w}, {y});
  const double sd = 1 / std::sqrt(fan_in);
  block.chi_squared("forward", stats::linear_output(block.values(y), block.values(x), sd));
  const Tensor dy = block.normal("dy", 1, n_out);
  const Tensor dx = block.matrix(1, n_in);
  block.backward("linear", {}, {x, w, dy}, {dx, block.matrix(n_in, n_out)});
  block.chi_squared("transposed", stats::linear_output(block.values(dx), block.values(dy), sd));
}

}  // namespace

Claims claim() {
  const auto ratio = [](std::string_view above, std::string_view below) {
    return [above, below](const Configuration& at) { return fan(at, above) / fan(at, below); };
  };
  // The smallest defect that matters swaps fans, whose ratio is at least 3/2: twice the run's δ is
  // ample.
  constexpr double coarse = 2;
  return Claim{
      .id = {},
      .statement =
          "Where n_in ≠ n_out, the gain tells the fans apart: 1 with variance 1/n_in, "
          "n_in/n_out with the fans swapped, n_out/n_in with the same weights transposed",
      .latex = R"(\frac{\operatorname{Var}(y)}{\operatorname{Var}(x)} = 1,\quad
\frac{n_\text{in}}{n_\text{out}},\quad \frac{n_\text{out}}{n_\text{in}})",
      .source = "section “What initialisation does about it”, which speaks of n alone",
      .premise = "Gaussian weights; one row a draw of W",
      .derivation =
          "A product sums over the rows of W: n_in of them forward, n_out for the transposed "
          "weights. The gain is that number times the variance, so a fan taken from the wrong "
          "side shows as the ratio of the two, and never in a square matrix.",
      .method = "L: Σ y_j²/(σw²‖x‖²) ~ χ² given the input, for each of the three",
      .domain = Domain()
                    .integer("n_in", 2, 32)
                    .integer("n_out", 2, 32)
                    .valid("n_in ≥ 3/2 n_out or n_out ≥ 3/2 n_in",
                           [](Configuration& c) {
                             const std::int64_t a = c.integer("n_in");
                             const std::int64_t b = c.integer("n_out");
                             if (2 * std::max(a, b) >= 3 * std::min(a, b)) return;
                             c.set("n_out", a <= 21 ? a + (a + 1) / 2 : a / 2);
                           }),
      .needs = {{"init"}, {"linear"}, {"linear", Pass::backward}},
      .checks = {{.name = "forward", .law = stats::scale(), .delta_factor = coarse},
                 {.name = "fans swapped",
                  .law = stats::scale(),
                  .expected = ratio("n_in", "n_out"),
                  .delta_factor = coarse},
                 {.name = "transposed",
                  .law = stats::scale(),
                  .expected = ratio("n_out", "n_in"),
                  .delta_factor = coarse}},
      .sample = sample,
      .defects = {"numbers.linear_fans_swapped", "numbers.linear_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::fan_orientation
