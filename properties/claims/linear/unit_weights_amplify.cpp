#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::linear::unit_weights_amplify {
namespace {

/// All inputs ±1 against all weights ±1: the mean square output is the width, in integers.
void exact(Block& block) {
  const std::int64_t n = std::min<std::int64_t>(block.integer("n_in"), 4);
  const Tensor x = every_vector(block, n, 1);
  const Tensor w = block.matrix(n, x.rows());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) set_element(w, i, j, element(x, j, i));
  }
  const Tensor y = block.matrix(x.rows(), w.cols());
  block.forward("linear", {}, {x, w}, {y});
  block.holds("exact", squared_norm(block.values(y)) == static_cast<double>(n * y.size()),
              "mean square of every output");
}

void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t n_in = block.integer("n_in");
  const Tensor x = block.draw("x", "two_point", 1, n_in);
  const Tensor y = block.matrix(1, block.integer("n_out"));
  block.forward("linear", {}, {x, block.normal("W", n_in, y.cols())}, {y});
  // ‖x‖² = n_in whatever the signs: the outputs are independent N(0, n_in) without any condition.
  block.chi_squared("variance", stats::sum_of_squares(stats::Independent{block.values(y)},
                                                      std::sqrt(static_cast<double>(n_in))));
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement = "Weights of variance 1 multiply the variance by n_in",
      .latex =
          R"(\sigma_w = 1 \;\Rightarrow\; \operatorname{Var}(y_j) = n_\text{in}\operatorname{Var}(x))",
      .source = "section “Variance of a single linear layer”",
      .premise = "inputs and weights independent, mean 0, variance 1",
      .derivation =
          "Each of the n_in terms x_i w_ij has variance 1 and they are uncorrelated, so the "
          "variances add up. The width alone makes the output grow, not a bad weight.",
      .method =
          "E: all signs of inputs and weights; L: inputs ±1, Gaussian weights: Σ y_j²/n_in ~ "
          "χ²(n_out)",
      .domain = Domain().integer("n_in", 1, 32).integer("n_out", 32, 96),
      .needs = {{"linear"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "variance",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& at) {
                        return static_cast<double>(at.integer("n_in"));
                      }}},
      .sample = sample,
      .defects = {"numbers.linear_root_fan", "numbers.linear_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::linear::unit_weights_amplify
