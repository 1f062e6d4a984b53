#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/stats/moments.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rootdk::claims::scores::conditional_law {
namespace {

/// ‖q‖⁴ of d normal entries: E‖q‖^2r = d(d + 2) … (d + 2r − 2).
stats::Cumulants fourth_power(const Configuration& at) {
  const auto d = static_cast<double>(at.integer("d_k"));
  std::array<double, 4> raw{};
  double moment = 1;
  for (int r = 0; r < 8; ++r) {
    moment *= d + 2 * r;
    if (r % 2 == 1) raw[static_cast<std::size_t>(r / 2)] = moment;
  }
  return stats::cumulants(raw);
}

/// Kurtosis of laws made of one sign or of two, in integers: E S⁴ = σ⁴(3d² + d(κqκk − 3)).
void kurtosis(Block& block) {
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 3);
  const std::int64_t of_q = block.integer("signs_q");
  const std::int64_t of_k = block.integer("signs_k");
  const Tensor q = every_vector(block, d, of_q);
  const Tensor k = every_vector(block, d, of_k);
  const Tensor s = block.matrix(q.rows(), k.rows());
  block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  double fourth = 0;
  for (const double v : block.values(s)) fourth += v * v * v * v;
  // One sign has kurtosis 1, a sum of two 2; their variances are 1 and 2.
  const std::int64_t expected = of_q * of_q * of_k * of_k * (3 * d * d + d * (of_q * of_k - 3));
  block.holds("kurtosis of signs", fourth == static_cast<double>(expected * s.size()), "E S⁴");
}

void sample(Block& block) {
  if (block.first()) kurtosis(block);
  constexpr std::int64_t n = 8;
  const std::int64_t d = block.integer("d_k");
  const std::int64_t m = block.integer("m");
  const Tensor q = block.normal("Q", n, d);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "none"}, {q, block.normal("K", m, d)}, {s});
  const auto first = block.values(q).first(static_cast<std::size_t>(d));
  const double length_of_first = std::sqrt(squared_norm(first));
  // One query's scores are independent given it.
  std::vector<double> scores;
  std::vector<double> uniforms;
  for (std::int64_t j = 0; j < m; ++j) {
    scores.push_back(element(s, 0, j) / length_of_first);
    uniforms.push_back(std::erfc(-scores.back() / std::numbers::sqrt2) / 2);
  }
  block.chi_squared("variance", stats::sum_of_squares(stats::Independent{scores}, 1));
  block.uniforms("normal", {uniforms});
  // Normal given q, so E S⁴ = 3 E‖q‖⁴ with ‖q‖² the query's score with itself.
  const Tensor self = block.matrix(n, n);
  block.forward("scores", {.scheme = "none"}, {q, q}, {self});
  const stats::Cumulants power = fourth_power(block.configuration());
  std::vector<double> powers;
  for (std::int64_t i = 0; i < n; ++i) {
    const double length = element(self, i, i);
    powers.push_back((length * length - power.mean) / power.sd);
  }
  block.standardised("kurtosis", {powers});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Given the query, q·k/‖q‖ of normal keys is N(0, 1); without it the score has "
          "kurtosis 3 + (κqκk − 3)/d_k, which is 3 + 6/d_k for normal entries",
      .latex = R"(\left.\frac{q\cdot k}{\lVert q\rVert}\,\right|\,q \sim \mathcal{N}(0,1),\qquad
\kappa(S) = 3 + \frac{\kappa_q\kappa_k - 3}{d_k})",
      .source = "section “Deriving the variance of the dot product”, of which this is the law",
      .premise = "entries independent, mean 0, variance 1; K normal for the law",
      .derivation =
          "Given q, the score is a sum of independent normals. Without it, S mixes normals of "
          "variance ‖q‖², so its tails are heavier: E S⁴ = 3 E‖q‖⁴ = 3 d_k(d_k + 2) against "
          "3 d_k². The excess is that of one term divided by their number.",
      .method =
          "L and D: one query's scores given it; M: E‖q‖⁴ = d_k(d_k + 2); E: all vectors of "
          "two- and three-point laws",
      .domain = Domain()
                    .integer("signs_q", 1, 2)
                    .integer("signs_k", 1, 2)
                    .integer("d_k", 1, 20)
                    .integer("m", 48, 96),
      .needs = {{"scores"}},
      // A distribution function off by twice the run's δ has its variance off by more than δ, which
      // the first check sees. The fourth power of a norm is read off eight queries a block.
      .checks = {{.name = "variance", .law = stats::scale()},
                 {.name = "normal", .law = stats::shape(), .delta_factor = 2},
                 {.name = "kurtosis",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return fourth_power(at).mean; },
                  .unit = [](const Configuration& at) { return fourth_power(at).sd; },
                  .delta_factor = 5,
                  .law_at = [](const Configuration& at) { return fourth_power(at).law(); }},
                 {.name = "kurtosis of signs", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.scores_first_term_twice", "numbers.scores_normalised_queries"},
  };
}

}  // namespace rootdk::claims::scores::conditional_law
