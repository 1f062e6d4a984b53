#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::init::absorbed_query {
namespace {

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto d_k = block.integer("d_k");
  const std::int64_t rows = (n_in + 1) / 2;
  const auto keys = block.integer("keys");
  const auto width = static_cast<double>(d_k);
  const Tensor x = block.normal("x", rows, n_in);
  const Tensor w = block.matrix(n_in, d_k);
  block.forward("init", {.initialiser = "absorbed_query", .d_k = width, .seed = block.seed("W_Q")},
                {}, {w});
  const Tensor q = block.matrix(rows, d_k);
  block.forward("linear", {}, {x, w}, {q});
  block.chi_squared("query",
                    stats::whitened_scores({block.values(q), rows, d_k}, block.values(x),
                                           1 / std::sqrt(static_cast<double>(n_in) * width)));
  // q·k without a division: given the queries, N(0, ‖q‖²), and ‖q‖² has the mean 1 by the line
  // above.
  Tensor few = q;
  few.shape[2] = std::min(rows, (d_k + 1) / 2);
  const Tensor k = block.normal("K", keys, d_k);
  const Tensor s = block.matrix(few.rows(), keys);
  block.forward("scores", {.scheme = "absorbed"}, {few, k}, {s});
  block.chi_squared(
      "score", stats::whitened_scores({block.values(s), few.rows(), keys}, block.values(few), 1));
}

double query(const Configuration& at) { return 1 / static_cast<double>(at.integer("d_k")); }

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With W_Q of variance 1/(n_in d_k) the queries have variance 1/d_k and q·k has "
          "variance 1 without a division by √d_k",
      .latex = R"(\operatorname{Var}(W_Q)=\frac{1}{n_{in}d_k}\Rightarrow
\operatorname{Var}(q)=\frac1{d_k},\ \operatorname{Var}(q\cdot k)=d_k\cdot\frac1{d_k}\cdot 1=1)",
      .source = "section “Option two: absorb the scaling into the initialisation of W_Q”",
      .premise = "E x² = 1, entries of K standard normal, W_Q normal",
      .derivation =
          "The factor 1/√d_k is linear in q and can stand at any place before the product; "
          "in W_Q it costs nothing at run time. It is then a property of the "
          "initialisation: training moves it with W_Q.",
      .method = "L: tr(Qᵀ(XXᵀ)⁻¹Q) n_in d_k ~ χ²; tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²",
      .domain = Domain().integer("n_in", 2, 64).integer("d_k", 1, 96).integer("keys", 8, 64),
      .needs = {{"init"}, {"linear"}, {"scores"}},
      .checks = {{.name = "query", .law = stats::scale(), .expected = query},
                 {.name = "score", .law = stats::scale()}},
      .sample = sample,
      .defects = {"init.silent_default", "init.fans_swapped"},
  };
}

}  // namespace rootdk::claims::init::absorbed_query
