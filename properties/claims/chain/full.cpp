#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::chain::full {
namespace {

void sample(Block& block) {
  const auto n = block.integer("n_in");
  const auto d = block.integer("d_k");
  const auto m = std::max<std::int64_t>(1, std::min(n, d) * 3 / 4);
  const double sd = 1 / std::sqrt(static_cast<double>(n));
  const Tensor x = block.draw("x", block.text("law"), m, n,
                              std::ldexp(1.0, static_cast<int>(block.integer("exponent"))));
  const Tensor gamma = block.matrix(1, n);
  fill(gamma, 1);
  const Tensor normed = block.matrix(m, n);
  block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {normed});
  // What the rows should be, so that a wrong norm is seen and not whitened away.
  const auto unit = block.values(unit_rms_rows(block, x));
  for (std::int64_t draw = 0; draw < std::max<std::int64_t>(1, 1000 / (m * m)); ++draw) {
    const Tensor q = block.matrix(m, d);
    const Tensor k = block.matrix(m, d);
    const Tensor s = block.matrix(m, m);
    const Tensor w_q = block.normal(fmt::format("W_Q {}", draw), n, d, sd);
    const Tensor w_k = block.normal(fmt::format("W_K {}", draw), n, d, sd);
    block.forward("linear", {}, {normed, w_q}, {q});
    block.forward("linear", {}, {normed, w_k}, {k});
    block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
    const auto queries = block.values(q);
    block.chi_squared("queries", stats::whitened_scores({queries, m, d}, unit, sd));
    block.chi_squared("scores", stats::whitened_chain({block.values(s), m, m}, queries, unit,
                                                      sd / std::sqrt(static_cast<double>(d))));
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "RMSNorm, then W_Q and W_K of variance 1/n_in, then ÷√d_k: every score has "
          "variance 1, a query's with its own key too, whatever the input's scale and law",
      .latex = R"(\operatorname{Var}\Big(\frac{(\hat x_i W_Q)\cdot(\hat x_j W_K)}{\sqrt{d_k}}\Big))"
               R"( = 1)",
      .source = "section “A deeper layer: √d_k and initialisation”: the chain of initialisation",
      .premise = "Gaussian W_Q, W_K, independent of each other and of x; ε = 0, γ = 1",
      .derivation =
          "Given x̂ of mean square 1, each entry of q is N(0, ‖x̂‖²/n_in) = N(0, 1), and "
          "given q a score is N(0, ‖q‖²/d_k), of mean variance 1; W_K is independent of "
          "W_Q, so that i = j is no exception. Scores of one draw are dependent: the "
          "columns of K have covariance X̂X̂ᵀ/n_in, which is divided out.",
      .method = "L: tr(Qᵀ(X̂X̂ᵀ)⁻¹Q) n ~ χ²(m d_k); tr((QQᵀ)⁻¹S(X̂X̂ᵀ)⁻¹Sᵀ) n d_k ~ χ²(m²)",
      .domain = Domain()
                    .integer("n_in", 4, 64)
                    .integer("d_k", 3, 64)
                    .integer("exponent", -6, 6)
                    .choice("law", {"normal", "uniform"}),
      .needs = {{"rms_norm"}, {"linear"}, {"scores"}},
      .checks = {{.name = "queries", .law = stats::scale()},
                 // Half as many values a block as the queries: √2 the effect.
                 {.name = "scores", .law = stats::scale(), .delta_factor = 1.5}},
      .sample = sample,
      .defects = {"numbers.length_one", "numbers.tail_dropped", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::chain::full
