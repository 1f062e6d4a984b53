#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace rootdk::claims::scores::drift {
namespace {

double value(const Configuration& at, std::string_view name) { return std::stod(at.text(name)); }

/// The mean square of all scores of q = ±√a and k = ±√b is ab: of 4^d equal terms, each a sum of d
/// products with the roundings of √a, √b (one each, twice in the square), the factor 1/√d_k, the
/// product and the square: at most 2(d + 6), and as many as log₂ 4^d in the sum of positive terms.
void exact(Block& block) {
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 4);
  const double a = value(block.configuration(), "var_q");
  const double b = value(block.configuration(), "var_k");
  const Tensor q = every_vector(block, d, 1);
  const Tensor k = every_vector(block, d, 1);
  multiply(q, std::sqrt(a));
  multiply(k, std::sqrt(b));
  const Tensor s = block.matrix(q.rows(), k.rows());
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
  const double sum = squared_norm(block.values(s));
  // Terms with cancelling products err relative to d²ab, d times the mean.
  const double tolerance =
      (2 * static_cast<double>(d + 6) + static_cast<double>(s.size())) * static_cast<double>(d);
  block.close("exact", sum / static_cast<double>(s.size()), a * b, a * b, tolerance,
              "mean square score");
}

void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const double sd_q = std::sqrt(value(block.configuration(), "var_q"));
  const double sd_k = std::sqrt(value(block.configuration(), "var_k"));
  const double root = std::sqrt(static_cast<double>(d));
  const Tensor q = block.normal("Q", n, d, sd_q);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, block.normal("K", m, d, sd_k)}, {s});
  block.chi_squared("factor of the keys",
                    stats::whitened_scores({block.values(s), n, m}, block.values(q), sd_k / root));
  const Tensor self = block.matrix(n, n);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, q}, {self});
  std::vector<double> squared_norms;
  for (std::int64_t i = 0; i < n; ++i) squared_norms.push_back(root * element(self, i, i));
  block.chi_squared("factor of the queries",
                    stats::sum_of_norms({squared_norms}, static_cast<double>(d), sd_q));
}

}  // namespace

Claims claim() {
  const auto factor = [](std::string_view name) {
    return [name](const Configuration& at) { return value(at, name); };
  };
  return Claim{
      .id = {},
      .statement =
          "Independent queries and keys of variances a and b give scaled scores of variance ab: "
          "0.49 at (0.7, 0.7), 1.69 at (1.3, 1.3), 0.7 at (0.7, 1)",
      .latex =
          R"(\operatorname{Var}\!\left(\frac{q\cdot k}{\sqrt{d_k}}\right) = \sigma_q^2\,\sigma_k^2)",
      .source = "section “Is the variance still 1 during training?”, reason 1",
      .premise = "q and k independent; training makes them dependent, see training.drift",
      .derivation =
          "Each term q_i k_i has variance ab. The source lets the variance of the entries of "
          "both Q and K be 0.7 and counts it once; it enters once for each.",
      .erratum =
          Erratum{
              .says = "entries of variance 0.7 or 1.3 give scaled scores of variance 0.7 or 1.3",
              .holds = "0.7² = 0.49 or 1.3² = 1.69; 0.7 only where one of Q and K keeps "
                       "variance 1"},
      .method = "E: all vectors ±√a, ±√b; L: one χ² test for each of the two factors",
      .domain = Domain()
                    .choice("var_q", {"0.7", "1.3", "1", "0.5"})
                    .choice("var_k", {"0.7", "1.3", "1", "2"})
                    .integer("d_k", 1, 96)
                    .integer("n", 8, 40)
                    .integer("m", 8, 40)
                    .valid("n ≤ d_k", at_most("n", "d_k")),
      .needs = {{"scores"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "factor of the keys", .law = stats::scale(), .expected = factor("var_k")},
                 {.name = "factor of the queries",
                  .law = stats::scale(),
                  .expected = factor("var_q")}},
      .sample = sample,
      .defects = {"numbers.scores_normalised_queries", "numbers.scores_padded_width"},
  };
}

}  // namespace rootdk::claims::scores::drift
