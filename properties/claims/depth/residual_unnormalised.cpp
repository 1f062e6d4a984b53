#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::residual_unnormalised {
namespace {

/// Cumulants of F/(1 + v), F = ‖x + xW‖²/‖x‖²: nF/v is noncentral χ²(n) of parameter λ = n/v, of
/// cumulants 2^(k−1) (k−1)! (n + kλ).
double cumulant(const Configuration& at, int k) {
  const auto n = static_cast<double>(at.integer("n"));
  const double v = at.real("v");
  return std::pow(2, k - 1) * std::tgamma(k) * (n + k * n / v) * std::pow(v / (n * (1 + v)), k);
}
double step_sd(const Configuration& at) { return std::sqrt(cumulant(at, 2)); }
stats::Law step_law(const Configuration& at) {
  const double variance = cumulant(at, 2);
  return stats::moment(cumulant(at, 3) / std::pow(variance, 1.5),
                       cumulant(at, 4) / (variance * variance));
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto layers = block.integer("L");
  const auto m = n / 2;
  const double v = block.real("v");
  const double sd = std::sqrt(v / static_cast<double>(n));
  const Tensor x = block.normal("x", m, n);
  std::vector<double> steps;
  for (std::int64_t l = 0; l < layers; ++l) {
    const Tensor y = block.matrix(m, n);
    block.forward("linear", {}, {x, block.normal(fmt::format("W {}", l), n, n, sd)}, {y});
    const auto rows = block.values(x);
    block.chi_squared("branch", stats::whitened_scores({block.values(y), m, n}, rows, sd));
    // Rows share the weights and depend on each other: one of them for the whole step.
    const auto before = static_cast<double>(row_moments(row_of(rows, 0, n)).mean_square);
    add_scaled(x, 1, y);
    const auto after = static_cast<double>(row_moments(row_of(block.values(x), 0, n)).mean_square);
    steps.push_back((after / (before * (1 + v)) - 1) / step_sd(block.configuration()));
  }
  block.standardised("step", stats::Independent{steps});
}

}  // namespace

Claims claim() {
  Configuration skewest;  // of the domain: what the pooled test is planned for
  skewest.set("n", std::int64_t{24});
  skewest.set("v", 2.0);
  return Claim{
      .statement =
          "Residual layers without a norm, x ← x + xW with W of variance v/n, multiply the "
          "mean square by 1 + v each: (1 + v)^L in all, exponential in depth",
      .latex = R"(\mathbb E\|x_L\|^2 = (1+v)^L\|x_0\|^2)",
      .source = "section “Numerical stability in the forward pass”: residual connections",
      .premise = "Gaussian W, drawn anew in each layer",
      .derivation =
          "The branch xW has the variance v ms(x), in proportion to the stream: 1 + v a "
          "layer. The addition alone keeps nothing; only a branch whose input is normed "
          "has a fixed variance, which adds up to 1 + Lv.",
      .erratum =
          Erratum{.says = "Residual connections keep the signal's magnitude from getting out "
                          "of control as layers are added",
                  .holds = "(1 + v)^L without a norm, 1024 for v = 1 and ten layers; 1 + Lv, "
                           "11, if the branch is normed"},
      .method =
          "L: whitened branches ~ χ² given the stream; M: the ratio of a step, a noncentral "
          "χ² of known cumulants",
      .domain = Domain().integer("n", 24, 72).integer("L", 1, 12).real("v", 0.25, 2, 0.25),
      .needs = {{"linear"}},
      .checks = {{.name = "branch",
                  .law = stats::scale(),
                  .expected = [](const Configuration& at) { return at.real("v"); },
                  .delta_factor = 2},
                 // A step's standard deviation is about 0.2: ten hundredths of it are 2 % of 1 + v.
                 {.name = "step",
                  .law = step_law(skewest),
                  .expected = [](const Configuration& at) { return 1 + at.real("v"); },
                  .unit = [](const Configuration& at) { return (1 + at.real("v")) * step_sd(at); },
                  .delta_factor = 10,
                  .law_at = step_law}},
      .sample = sample,
      .defects = {"numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::residual_unnormalised
