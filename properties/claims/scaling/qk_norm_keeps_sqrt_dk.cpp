#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/schemes.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scaling::qk_norm_keeps_sqrt_dk {
namespace {

void one(Block& block, std::string_view scheme_name, std::string_view check, const Tensor& q,
         const Tensor& k) {
  const SchemeCase at{.facts = &scheme(scheme_name),
                      .parameters = {},
                      .d_k = q.cols(),
                      .queries = q.rows(),
                      .keys = k.rows(),
                      .mask = {}};
  const Tensor s = block.matrix(q.rows(), k.rows());
  forward_scores(block, at, q, k, s);
  block.chi_squared(check, standardised_scores(block, at, q, s));
  if (check != "norm alone") return;
  const auto d = static_cast<double>(at.d_k);
  for (const double score : block.values(s)) {
    // (2d + 16) u: see scaling.bound.
    const double excess = std::abs(score) <= d ? 0 : std::abs(score) / d - 1;
    block.error("bound", excess / unit_roundoff(s.dtype), 2 * d + 16);
  }
}

void sample(Block& block) {
  const auto d = block.integer("d_k");
  const Tensor q = block.normal("Q", block.integer("n"), d);
  const Tensor k = block.normal("K", block.integer("m"), d);
  one(block, "qk_rms_norm", "norm alone", q, k);
  one(block, "qk_rms_norm_sqrt_dk", "divided", q, k);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "RMS-normed queries and keys give scores bounded by d_k but of variance d_k: the norm "
          "does not replace the division by √d_k, with which the variance is 1",
      .latex = R"(|\hat q\cdot\hat k| \le d_k,\quad \operatorname{Var}(\hat q\cdot\hat k) = d_k)",
      .source = "section “No scaling at all: QK-Norm”",
      .premise = "Rows of Q and K with uniform directions (Gaussian rows), ε = 0",
      .derivation =
          "A row of RMS 1 has length √d_k, so the score is d_k cos. The cosine of two random "
          "directions has mean square 1/d_k; hence Var = d_k²/d_k. The bound d_k is reached "
          "by parallel rows only, √d_k standard deviations away.",
      .erratum =
          Erratum{"After QK-Norm the range of the scores is under control and no further scaling "
                  "is needed",
                  "RMS-normed rows give |S| ≤ d_k but Var(S) = d_k: 64, a standard deviation of 8, "
                  "at d_k = 64, exactly as without the norm. Divided by √d_k the variance is 1"},
      .method = "L: χ²(nm) of whitened scores times independent radii",
      .domain = Domain()
                    .integer("d_k", 3, 96)
                    .integer("n", 8, 32)
                    .integer("m", 32, 64)
                    .valid("n ≤ ⌈d_k/2⌉",
                           [](Configuration& c) {
                             c.set("n", std::min(c.integer("n"), (c.integer("d_k") + 1) / 2));
                           }),
      .needs = {{"scores"}},
      .checks = {{.name = "norm alone",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& c) { return static_cast<double>(c.integer("d_k")); }},
                 {.name = "divided", .law = stats::scale()},
                 {.name = "bound", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing", "scale.scale_ignored"},
  };
}

}  // namespace rootdk::claims::scaling::qk_norm_keeps_sqrt_dk
