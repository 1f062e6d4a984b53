#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scores::correlated {
namespace {

double width(const Configuration& at) { return static_cast<double>(at.integer("d_k")); }

/// Signs q and k with P(q_i = k_i) = (1 + ρ)/2: given q = (1, …, 1), every k with its probability.
/// Sums of 2^d terms, each with d factors of its probability: 2^d + 2d + 4 roundings of E S² ≤ d².
void exact(Block& block) {
  const double rho = block.real("rho");
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 6);
  const Tensor q = block.matrix(1, d);
  fill(q, 1);
  const Tensor k = every_vector(block, d, 1);
  const Tensor s = block.matrix(1, k.rows());
  block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  const double expected = rho * static_cast<double>(d);
  double mean = 0;
  double square = 0;
  for (std::int64_t p = 0; p < k.rows(); ++p) {
    double probability = 1;
    for (std::int64_t i = 0; i < d; ++i) probability *= (1 + rho * element(k, p, i)) / 2;
    const double score = element(s, 0, p);
    mean += probability * score;
    square += probability * (score - expected) * (score - expected);
  }
  const double roundings = static_cast<double>(k.rows() + 2 * d + 4);
  const double size = static_cast<double>(d * d);
  block.close("two-point law", mean, expected, size, roundings, "mean ρd");
  block.close("two-point law", square, (1 - rho * rho) * static_cast<double>(d), size, roundings,
              "variance (1 − ρ²)d");
}

/// k = ρ q + √(1 − ρ²) z. ‖q ± k‖² = q·q + k·k ± 2 q·k, each from the subject.
void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const double rho = block.real("rho");
  const Tensor q = block.normal("Q", n, d);
  const Tensor k = block.normal("noise", n, d, std::sqrt(1 - rho * rho));
  add_scaled(k, rho, q);
  const Tensor qq = block.matrix(n, n);
  const Tensor kk = block.matrix(n, n);
  const Tensor qk = block.matrix(n, n);
  block.forward("scores", {.scheme = "none"}, {q, q}, {qq});
  block.forward("scores", {.scheme = "none"}, {k, k}, {kk});
  block.forward("scores", {.scheme = "none"}, {q, k}, {qk});
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> norms;
    for (std::int64_t i = 0; i < n; ++i) {
      norms.push_back(element(qq, i, i) + element(kk, i, i) + sign * 2 * element(qk, i, i));
    }
    block.chi_squared(
        sign > 0 ? "sum" : "difference",
        stats::sum_of_norms({norms}, static_cast<double>(d), std::sqrt(2 * (1 + sign * rho))));
  }
}

}  // namespace

Claims claim() {
  const auto scale_of = [](double sign) {
    return [sign](const Configuration& at) { return 2 * (1 + sign * at.real("rho")) * width(at); };
  };
  return Claim{
      .id = {},
      .statement =
          "If q_i and k_i have correlation ρ, the score has mean ρ d_k, and variance "
          "(1 + ρ²) d_k for normal entries but (1 − ρ²) d_k for signs",
      .latex =
          R"(\frac{\lVert q\pm k\rVert^2}{2(1\pm\rho)} \sim \chi^2_{d_k}\ \text{independent},\quad
\mathbb{E}[q\cdot k] = \rho d_k,\quad \operatorname{Var}(q\cdot k) = (1+\rho^2)\,d_k)",
      .source = "section “Deriving the variance of the dot product”: Q and K independent",
      .premise = "pairs (q_i, k_i) independent of each other; jointly normal, or signs",
      .derivation =
          "q + k and q − k are uncorrelated, hence independent, and q·k is a quarter of the "
          "difference of their squares: U(1+ρ)/2 − V(1−ρ)/2 with U, V ~ χ²(d_k). So "
          "independence is needed: the mean ρ d_k outgrows √d_k, whatever small ρ is.",
      .method =
          "L: both χ² laws, from the scores q·q, k·k and q·k; E: every sign pattern with its "
          "probability",
      .domain =
          Domain().real("rho", -0.9375, 0.9375, 0.0625).integer("d_k", 1, 96).integer("n", 4, 16),
      .needs = {{"scores"}},
      .checks = {{.name = "two-point law", .law = stats::bound()},
                 {.name = "sum", .law = stats::scale(), .expected = scale_of(1)},
                 {.name = "difference", .law = stats::scale(), .expected = scale_of(-1)}},
      .sample = sample,
      .defects = {"numbers.scores_first_key_for_all", "numbers.scores_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::scores::correlated
