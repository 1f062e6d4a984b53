#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::scores::scaled_variance {
namespace {

void sample(Block& block) {
  const auto d = block.integer("d_k");
  const auto n = block.integer("n");
  const auto m = block.integer("m");
  const Tensor q = block.normal("Q", n, d);
  const Tensor k = block.normal("K", m, d);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
  const auto d_k = static_cast<double>(d);
  // The scaled score has variance 1 if √d_k S follows the laws of q·k.
  (void)d_k;
  block.chi_squared("variance", stats::whitened_scores({block.values(s), n, m}, block.values(q),
                                                       1 / std::sqrt(static_cast<double>(d))));
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement = "Divided by √d_k, the scores have variance 1 for every d_k",
      .latex = R"(\operatorname{Var}(q\cdot k/\sqrt{d_k}) = 1)",
      .source = "section “The effect of dividing by √d_k”",
      .method = "L: tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(nm)",
      .domain = Domain()
                    .integer("d_k", 1, 256)
                    .integer("n", 1, 32)
                    .integer("m", 1, 32)
                    .valid("n ≤ d_k",
                           [](Configuration& c) {
                             c.set("n", std::min(c.integer("n"), c.integer("d_k")));
                           }),
      .needs = {{"scores"}},
      .checks = {{.name = "variance", .law = stats::scale()}},
      .sample = sample,
      .defects = {},
  };
}

}  // namespace rootdk::claims::scores::scaled_variance
