#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scores::scaled_variance {
namespace {

void sample(Block& block) {
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const double root = std::sqrt(static_cast<double>(d));
  const Tensor q = block.normal("Q", n, d);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, block.normal("K", m, d)}, {s});
  // Given Q, √d_k S has the law of the raw scores.
  block.chi_squared("given the queries",
                    stats::whitened_scores({block.values(s), n, m}, block.values(q), 1 / root));
  // A query's score with itself is ‖q‖²/√d_k.
  const Tensor self = block.matrix(n, n);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, q}, {self});
  std::vector<double> squared_norms;
  for (std::int64_t i = 0; i < n; ++i) squared_norms.push_back(root * element(self, i, i));
  block.chi_squared("of the queries",
                    stats::sum_of_norms({squared_norms}, static_cast<double>(d), 1));
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Divided by √d_k, the scores have variance 1 for every d_k, powers of two or not",
      .latex = R"(\operatorname{Var}\!\left(\frac{q\cdot k}{\sqrt{d_k}}\right) = 1)",
      .source = "section “The effect of dividing by √d_k”",
      .premise = "entries of Q and K independent, mean 0, variance 1",
      .derivation =
          "A constant divisor c divides the variance by c², and the variance is d_k: only √d_k "
          "makes it 1 at every width.",
      .method = "L: d_k tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(nm) given Q, and √d_k Σ s(q, q) ~ χ²(n d_k)",
      .domain = Domain()
                    .integer("d_k", 1, 160)
                    .integer("n", 8, 48)
                    .integer("m", 8, 48)
                    .valid("n ≤ d_k", at_most("n", "d_k")),
      .needs = {{"scores"}},
      .checks = {{.name = "given the queries", .law = stats::scale()},
                 {.name = "of the queries", .law = stats::scale()}},
      .sample = sample,
      .defects = {"numbers.scores_padded_width", "numbers.scores_root_queries"},
  };
}

}  // namespace rootdk::claims::scores::scaled_variance
