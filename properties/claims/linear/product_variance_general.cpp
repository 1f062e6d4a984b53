#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/moments.hpp>

#include <cmath>

namespace rootdk::claims::linear::product_variance_general {
namespace {

struct Factor {
  double mean, sd;
};
Factor factor(const Configuration& at, const std::string& name) {
  return {at.real("mean_" + name), at.real("sd_" + name)};
}

double variance(const Factor& x, const Factor& w) {
  return x.sd * x.sd * w.sd * w.sd + x.sd * x.sd * w.mean * w.mean + w.sd * w.sd * x.mean * x.mean;
}

/// X = μx ± σx, W = μw ± σw, all four products by one call of width 1; every number is dyadic with
/// few digits, so that the mean and the variance are formed without any rounding.
void exact(Block& block) {
  const Factor a = factor(block.configuration(), "x");
  const Factor b = factor(block.configuration(), "w");
  const Tensor x = block.matrix(2, 1);
  set_element(x, 0, 0, a.mean + a.sd);
  set_element(x, 1, 0, a.mean - a.sd);
  const Tensor y = block.matrix(2, 2);
  block.forward("linear", {}, {x, block.row(std::array{b.mean + b.sd, b.mean - b.sd})}, {y});
  double mean = 0;
  double square = 0;
  for (const double v : block.values(y)) mean += v / 4;
  for (const double v : block.values(y)) square += (v - mean) * (v - mean) / 4;
  block.holds("exact", mean == a.mean * b.mean, "mean");
  block.holds("exact", square == variance(a, b), "variance");
}

stats::Moments moments(const Configuration& at, const std::string& name) {
  const StandardLaw& law = standard_law(at.text("law_" + name));
  return stats::affine(stats::symmetric_moments(law.kurtosis, law.sixth, law.eighth),
                       factor(at, name).mean, factor(at, name).sd);
}

stats::Cumulants squared(const Configuration& at) {
  return stats::squared_deviation(stats::product(moments(at, "x"), moments(at, "w")));
}

void sample(Block& block) {
  if (block.first()) exact(block);
  const Factor a = factor(block.configuration(), "x");
  const Factor b = factor(block.configuration(), "w");
  const std::int64_t n = block.integer("n");
  const Tensor x = block.draw("x", block.text("law_x"), 1, n, a.sd);
  const Tensor diagonal = block.draw("w", block.text("law_w"), 1, n, b.sd);
  const Tensor w = block.matrix(n, n);
  fill(w, 0);
  for (std::int64_t i = 0; i < n; ++i) {
    set_element(x, 0, i, element(x, 0, i) + a.mean);
    set_element(w, i, i, element(diagonal, 0, i) + b.mean);
  }
  const Tensor y = block.matrix(1, n);
  block.forward("linear", {}, {x, w}, {y});
  const stats::Cumulants square = squared(block.configuration());
  std::vector<double> values;
  for (const double v : block.values(y)) {
    const double deviation = v - a.mean * b.mean;
    values.push_back((deviation * deviation - square.mean) / square.sd);
  }
  block.standardised("sampled", {values});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "With means, the product of two independent variables has variance "
          "σx²σw² + σx²μw² + σw²μx²",
      .latex =
          R"(\operatorname{Var}(XW) = \sigma_x^2\sigma_w^2 + \sigma_x^2\mu_w^2 + \sigma_w^2\mu_x^2)",
      .source = "section “Variance of a single linear layer”, which states the case of mean 0",
      .premise = "X and W independent",
      .derivation =
          "E(XW)² = (σx² + μx²)(σw² + μw²), and the square of the mean, μx²μw², is taken off. "
          "The last two terms vanish only if both means do: so the zero means are needed.",
      .method =
          "E: all four products of two-point laws; M: sampled products of bounded laws, whose "
          "moments are known",
      .domain = Domain()
                    .choice("law_x", {"uniform", "three_point", "two_point"})
                    .choice("law_w", {"three_point", "uniform"})
                    .real("mean_x", -2, 2, 0.25)
                    .real("mean_w", -2, 2, 0.25)
                    .real("sd_x", 0.25, 2, 0.25)
                    .real("sd_w", 0.25, 2, 0.25)
                    .integer("n", 8, 24),
      .needs = {{"linear"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "sampled",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return squared(at).mean; },
                  .unit = [](const Configuration& at) { return squared(at).sd; },
                  .law_at = [](const Configuration& at) { return squared(at).law(); }}},
      .sample = sample,
      .defects = {"numbers.linear_negated", "numbers.linear_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::product_variance_general
