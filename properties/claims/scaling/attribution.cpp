#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/schemes.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scaling::attribution {
namespace {

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto d = block.integer("d_k");
  const auto m = block.integer("m");
  const auto width = static_cast<double>(d);
  const double sigma = 1 / std::sqrt(static_cast<double>(n_in) * width);
  // One token of RMS 1 a draw of the weight: its query then has the premise of the scheme, exactly.
  const Tensor x = block.normal("x", 1, n_in);
  double squares = 0;
  for (const double value : block.values(x)) squares += value * value;
  multiply(x, std::sqrt(static_cast<double>(n_in) / squares));
  const Tensor w = block.matrix(n_in, d);
  block.forward("init", {.initialiser = "absorbed_query", .d_k = width, .seed = block.seed("W_Q")},
                {}, {w});
  const Tensor q = block.matrix(1, d);
  block.forward("linear", {}, {x, w}, {q});
  block.chi_squared("query", stats::linear_output(block.values(q), block.values(x), sigma));
  const SchemeCase at{.facts = &scheme("absorbed"),
                      .parameters = {},
                      .d_k = d,
                      .queries = 1,
                      .keys = m,
                      .mask = {}};
  const Tensor k = block.normal("K", m, d);
  const Tensor s = block.matrix(1, m);
  forward_scores(block, at, q, k, s);
  block.chi_squared("score", standardised_scores(block, at, q, s));
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "T5 has no learnable scale: its initialisation gives W_Q the variance 1/(n_in d_k), so "
          "that queries have variance 1/d_k and scores variance 1 without a division",
      .latex = R"(W_Q \sim N(0, 1/(n_{in} d_k)) \Rightarrow \operatorname{Var}(q\cdot k) = 1)",
      .source = "section “A learnable scaling factor (the T5 model)”",
      .premise = "Tokens of RMS 1, keys standard normal",
      .derivation =
          "Given x of RMS 1, q = x W_Q has independent entries of variance n_in/(n_in d_k) = "
          "1/d_k, and a sum of d_k products of variance 1/d_k has variance 1.",
      .erratum =
          Erratum{"T5 replaces √d_k by a learnable scalar",
                  "T5 has no learnable scale. Its published initialisation absorbs the factor into "
                  "W_Q, of variance 1/(n_in d_k); learnable scalars are a scheme of other models"},
      .method = "L: ‖q‖² and the whitened scores, each χ²",
      .domain = Domain().integer("n_in", 2, 48).integer("d_k", 2, 48).integer("m", 16, 64),
      .needs = {{"init"}, {"linear"}, {"scores"}},
      .checks = {{.name = "query",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& c) {
                        return 1 / static_cast<double>(c.integer("d_k"));
                      },
                  .delta_factor = 4},
                 {.name = "score", .law = stats::scale(), .delta_factor = 4}},
      .sample = sample,
      .defects = {"scale.scale_twice"},
  };
}

}  // namespace rootdk::claims::scaling::attribution
