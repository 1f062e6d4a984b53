#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>

#include <algorithm>

namespace rootdk::claims::scores::variance {
namespace {

/// All queries ±1 against all keys ±1: the mean square score is the width, in integers.
void exact(Block& block) {
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 4);
  const Tensor vectors = every_vector(block, d, 1);
  const Tensor s = block.matrix(vectors.rows(), vectors.rows());
  block.forward("scores", {.scheme = "none"}, {vectors, vectors}, {s});
  block.holds("exact", squared_norm(block.values(s)) == static_cast<double>(d * s.size()),
              "mean square score");
}

void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const Tensor q = block.normal("Q", n, d);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "none"}, {q, block.normal("K", m, d)}, {s});
  block.chi_squared("given the queries",
                    stats::whitened_scores({block.values(s), n, m}, block.values(q), 1));
  // A query's score with itself is its squared length.
  const Tensor self = block.matrix(n, n);
  block.forward("scores", {.scheme = "none"}, {q, q}, {self});
  std::vector<double> squared_norms;
  for (std::int64_t i = 0; i < n; ++i) squared_norms.push_back(element(self, i, i));
  block.chi_squared("of the queries",
                    stats::sum_of_norms({squared_norms}, static_cast<double>(d), 1));
}

}  // namespace

Claims claim() {
  const ValueOf width = [](const Configuration& at) {
    return static_cast<double>(at.integer("d_k"));
  };
  return Claim{
      .id = {},
      .statement = "The score q·k of independent entries of mean 0 and variance 1 has variance d_k",
      .latex = R"(\operatorname{Var}(q\cdot k) = d_k)",
      .source = "section “Deriving the variance of the dot product”",
      .premise = "entries of Q and K independent, mean 0, variance 1",
      .derivation =
          "Given q the variance of q·k is ‖q‖², and E‖q‖² = d_k. The entries of one S share "
          "queries and keys, so their sum of squares is not χ²; whitened by the queries it is, "
          "and the queries' lengths are tested by themselves.",
      .method =
          "E: all queries and keys ±1; L: tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(nm) given Q, and Σ q·q ~ χ²(n d_k)",
      .domain = Domain()
                    .integer("d_k", 1, 96)
                    .integer("n", 8, 40)
                    .integer("m", 8, 40)
                    .valid("n ≤ d_k", at_most("n", "d_k")),
      .needs = {{"scores"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "given the queries", .law = stats::scale(), .expected = width},
                 {.name = "of the queries", .law = stats::scale(), .expected = width}},
      .sample = sample,
      .defects = {"numbers.scores_root_queries", "numbers.scores_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::scores::variance
