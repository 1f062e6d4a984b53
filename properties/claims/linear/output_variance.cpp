#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/moments.hpp>

#include <cmath>

namespace rootdk::claims::linear::output_variance {
namespace {

/// Size of input i; its sign is drawn. Unequal sizes, so that no input can stand for another.
double input_size(std::int64_t i) { return 1 + 0.5 * static_cast<double>(i % 3); }

double sum_of_squares(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += input_size(i) * input_size(i);
  return sum;
}

/// y² in units of σw²‖x‖², given x: y is a sum of independent terms of known moments.
stats::Cumulants squared_output(const Configuration& at) {
  const StandardLaw& law = standard_law(at.text("law_w"));
  const stats::Moments weight = stats::symmetric_moments(law.kurtosis, law.sixth, law.eighth);
  const std::int64_t n = at.integer("n_in");
  const double length = std::sqrt(sum_of_squares(n));
  stats::Moments y{1};
  for (std::int64_t i = 0; i < n; ++i) {
    y = stats::sum(y, stats::affine(weight, 0, input_size(i) / length));
  }
  return stats::squared_deviation(y);
}

double variance(const Configuration& at) {
  return at.real("sd_w") * at.real("sd_w") * sum_of_squares(at.integer("n_in"));
}

void sample(Block& block) {
  const std::int64_t n_in = block.integer("n_in");
  const std::int64_t n_out = block.integer("n_out");
  const double sd = block.real("sd_w");
  const Tensor x = block.draw("x", "two_point", 1, n_in);
  for (std::int64_t i = 0; i < n_in; ++i) set_element(x, 0, i, element(x, 0, i) * input_size(i));
  const Tensor y = block.matrix(1, n_out);
  block.forward("linear", {}, {x, block.normal("W", n_in, n_out, sd)}, {y});
  block.chi_squared("gaussian weights", stats::linear_output(block.values(y), block.values(x), sd));
  block.forward("linear", {}, {x, block.draw("W′", block.text("law_w"), n_in, n_out, sd)}, {y});
  const stats::Cumulants square = squared_output(block.configuration());
  const double unit = variance(block.configuration());
  std::vector<double> values;
  for (const double v : block.values(y)) values.push_back((v * v / unit - square.mean) / square.sd);
  block.standardised("other weights", {values});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "An output of a linear layer has variance n_in σw² E[x²], whatever the law of its "
          "weights",
      .latex = R"(\operatorname{Var}(y_j) = n_\text{in}\,\sigma_w^2\,\mathbb{E}[x^2])",
      .source = "section “Variance of a single linear layer”",
      .premise = "weights independent of x and of each other, mean 0; one row x a draw of W",
      .derivation =
          "Given x, y_j is a sum of n_in independent terms of variance σw² x_i², so its "
          "variance is σw²‖x‖². With Gaussian weights y_j is Gaussian given x, and Σ y_j² is "
          "exactly χ² in that unit; any other law changes the kurtosis alone.",
      .method =
          "L: Σ y_j²/(σw²‖x‖²) ~ χ²(n_out) given x; M: y² with weights of other laws, moments "
          "to the eighth known",
      .domain = Domain()
                    .choice("law_w", {"uniform", "three_point", "two_point"})
                    .integer("n_in", 2, 20)
                    .integer("n_out", 32, 96)
                    .real("sd_w", 0.125, 2, 0.125),
      .needs = {{"linear"}},
      .checks = {{.name = "gaussian weights", .law = stats::scale(), .expected = variance},
                 {.name = "other weights",
                  .law = stats::moment(0, 0),
                  .expected = variance,
                  .unit =
                      [](const Configuration& at) { return variance(at) * squared_output(at).sd; },
                  .law_at = [](const Configuration& at) { return squared_output(at).law(); }}},
      .sample = sample,
      .defects = {"numbers.linear_root_fan", "numbers.linear_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::linear::output_variance
