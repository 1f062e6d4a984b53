#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/moments.hpp>

#include <cmath>

namespace rootdk::claims::linear::product_variance {
namespace {

struct Points {
  std::vector<double> value, probability;
};

/// Mean 0, standard deviation sd and the given kurtosis κ: two points of probabilities p and
/// 1 − p, p(1 − p) = 1/(κ + 3), or three points 0, ±√κ of probabilities 1 − 1/κ, 1/(2κ), 1/(2κ).
Points points(bool skewed, double kurtosis, double sd) {
  if (skewed) {
    const double p = (1 - std::sqrt(1 - 4 / (kurtosis + 3))) / 2;
    return {{sd * std::sqrt((1 - p) / p), -sd * std::sqrt(p / (1 - p))}, {p, 1 - p}};
  }
  const double end = sd * std::sqrt(kurtosis);
  return {{0, end, -end}, {1 - 1 / kurtosis, 1 / (2 * kurtosis), 1 / (2 * kurtosis)}};
}

double power_sum(std::span<const double> value, const Points& law, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    sum += law.probability[i] * std::pow(std::abs(value[i]), power);
  }
  return sum;
}

/// Every product of two such values, by one call of width 1. Terms of Σ p p′ (x w)² carry six
/// roundings, their sum of at most nine terms eight more; the two factors of the expected value
/// have seven each and their product one: 29. All terms are positive, so that errors only add. The
/// mean is a difference of the same number of terms, measured by E|x| E|w|.
void exact(Block& block) {
  constexpr double roundings = 32;
  const Points a =
      points(block.text("points_x") == "two", block.real("kurtosis_x"), block.real("sd_x"));
  const Points b =
      points(block.text("points_w") == "two", block.real("kurtosis_w"), block.real("sd_w"));
  const Tensor w = block.row(b.value);
  const Tensor x = block.matrix(static_cast<std::int64_t>(a.value.size()), 1);
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    set_element(x, i, 0, a.value[static_cast<std::size_t>(i)]);
  }
  const Tensor y = block.matrix(x.rows(), w.cols());
  block.forward("linear", {}, {x, w}, {y});
  double mean = 0;
  double square = 0;
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    for (std::int64_t j = 0; j < y.cols(); ++j) {
      const double p =
          a.probability[static_cast<std::size_t>(i)] * b.probability[static_cast<std::size_t>(j)];
      mean += p * element(y, i, j);
      square += p * element(y, i, j) * element(y, i, j);
    }
  }
  const auto seen_x = block.values(x);
  const auto seen_w = block.values(w);
  const double expected = power_sum(seen_x, a, 2) * power_sum(seen_w, b, 2);
  block.close("exact", mean, 0, power_sum(seen_x, a, 1) * power_sum(seen_w, b, 1), roundings,
              "mean");
  block.close("exact", square, expected, expected, roundings, "variance");
}

stats::Moments moments(const Configuration& at, std::string_view law, std::string_view sd) {
  const StandardLaw& named = standard_law(at.text(law));
  return stats::affine(stats::symmetric_moments(named.kurtosis, named.sixth, named.eighth), 0,
                       at.real(sd));
}

stats::Cumulants square_of_product(const Configuration& at) {
  return stats::squared_deviation(
      stats::product(moments(at, "law_x", "sd_x"), moments(at, "law_w", "sd_w")));
}

void sample(Block& block) {
  if (block.first()) exact(block);
  // A diagonal of weights: every output is one product, independent of the others.
  const std::int64_t n = block.integer("n");
  const Tensor x = block.draw("x", block.text("law_x"), 1, n, block.real("sd_x"));
  const Tensor diagonal = block.draw("w", block.text("law_w"), 1, n, block.real("sd_w"));
  const Tensor w = block.matrix(n, n);
  fill(w, 0);
  for (std::int64_t i = 0; i < n; ++i) set_element(w, i, i, element(diagonal, 0, i));
  const Tensor y = block.matrix(1, n);
  block.forward("linear", {}, {x, w}, {y});
  const stats::Cumulants square = square_of_product(block.configuration());
  std::vector<double> values;
  for (const double v : block.values(y)) values.push_back((v * v - square.mean) / square.sd);
  block.standardised("sampled", {values});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "The product of two independent variables of mean 0 has variance σx²σw², whatever "
          "their two laws",
      .latex = R"(\operatorname{Var}(XW) = \sigma_x^2\,\sigma_w^2)",
      .source = "section “Variance of a single linear layer”",
      .premise = "X and W independent, both of mean 0",
      .derivation =
          "E(XW) = E X · E W = 0, so the variance is E(X²W²), which independence splits into "
          "E X² · E W². Only the second moments enter: the shape of the laws does not.",
      .method =
          "E: every pair of points of two- and three-point laws of kurtosis 1 … 6; M: sampled "
          "products of bounded laws, whose moments are known",
      .domain = Domain()
                    .choice("points_x", {"two", "three"})
                    .choice("points_w", {"two", "three"})
                    .choice("law_x", {"uniform", "three_point", "two_point"})
                    .choice("law_w", {"three_point", "uniform"})
                    .real("kurtosis_x", 1, 6, 0.25)
                    .real("kurtosis_w", 1, 6, 0.25)
                    .real("sd_x", 0.25, 3, 0.25)
                    .real("sd_w", 0.25, 3, 0.25)
                    .integer("n", 8, 24),
      .needs = {{"linear"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "sampled",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return square_of_product(at).mean; },
                  .unit = [](const Configuration& at) { return square_of_product(at).sd; },
                  .law_at = [](const Configuration& at) { return square_of_product(at).law(); }}},
      .sample = sample,
      .defects = {"numbers.linear_rounded_weights", "numbers.linear_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::product_variance
