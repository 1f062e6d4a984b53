#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scores::general_variance {
namespace {

struct Factor {
  double mean, sd;
};
Factor factor(const Configuration& at, const std::string& name) {
  return {at.real("mean_" + name), at.real("sd_" + name)};
}
double mean(const Configuration& at) {
  return static_cast<double>(at.integer("d_k")) * at.real("mean_q") * at.real("mean_k");
}
double variance(const Configuration& at, std::int64_t d) {
  const Factor q = factor(at, "q");
  const Factor k = factor(at, "k");
  return static_cast<double>(d) * (q.sd * q.sd * k.sd * k.sd + q.sd * q.sd * k.mean * k.mean +
                                   k.sd * k.sd * q.mean * q.mean);
}

Tensor moved(const Tensor& values, const Factor& to) {
  for (std::int64_t i = 0; i < values.rows(); ++i) {
    for (std::int64_t j = 0; j < values.cols(); ++j) {
      set_element(values, i, j, to.mean + to.sd * element(values, i, j));
    }
  }
  return values;
}

/// All q = μq ± σq against all k = μk ± σk, in dyadic numbers of few digits: no rounding at all.
void exact(Block& block) {
  const Configuration& at = block.configuration();
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 3);
  const Tensor q = moved(every_vector(block, d, 1), factor(at, "q"));
  const Tensor k = moved(every_vector(block, d, 1), factor(at, "k"));
  const Tensor s = block.matrix(q.rows(), k.rows());
  block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  const double expected = static_cast<double>(d) * at.real("mean_q") * at.real("mean_k");
  const auto count = static_cast<double>(s.size());
  double sum = 0;
  double squares = 0;
  for (const double v : block.values(s)) {
    sum += v;
    squares += (v - expected) * (v - expected);
  }
  block.holds("exact", sum == expected * count, "mean");
  block.holds("exact", squares == variance(at, d) * count, "variance");
}

/// Given Q, a score q·k is N(μk Σq, σk²‖q‖²).
void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t d = block.integer("d_k");
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const Factor of_k = factor(block.configuration(), "k");
  const Tensor q = moved(block.draw("Q", "normal", n, d), factor(block.configuration(), "q"));
  const Tensor k = moved(block.normal("K", m, d), of_k);
  const Tensor s = block.matrix(n, m);
  block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  double squared_norm = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::int64_t c = 0; c < d; ++c) {
      row += element(q, i, c);
      if (i == 0) squared_norm += element(q, i, c) * element(q, i, c);
    }
    for (std::int64_t j = 0; j < m; ++j) {
      set_element(s, i, j, element(s, i, j) - of_k.mean * row);
    }
  }
  block.chi_squared("variance",
                    stats::whitened_scores({block.values(s), n, m}, block.values(q), of_k.sd));
  std::vector<double> first;
  for (std::int64_t j = 0; j < m; ++j) {
    first.push_back(element(s, 0, j) / (of_k.sd * std::sqrt(squared_norm)));
  }
  block.standardised("mean", {first});
}

}  // namespace

Claims claim() {
  const ValueOf whole = [](const Configuration& at) { return variance(at, at.integer("d_k")); };
  return Claim{
      .id = {},
      .statement =
          "With means, the score has mean d_k μq μk and variance "
          "d_k(σq²σk² + σq²μk² + σk²μq²)",
      .latex =
          R"(\operatorname{Var}(q\cdot k) = d_k\left(\sigma_q^2\sigma_k^2 + \sigma_q^2\mu_k^2 + \sigma_k^2\mu_q^2\right))",
      .source =
          "section “Deriving the variance of the dot product”, which states σq = σk = 1 and mean 0",
      .premise = "entries of Q and K independent",
      .derivation =
          "The d_k terms are independent and each is a product of two independent variables. A "
          "mean in both moves the scores by d_k μq μk, which grows like d_k, not √d_k: a "
          "division by √d_k does not remove it.",
      .method =
          "E: all q = μq ± σq and k = μk ± σk; L: given Q the scores are N(μk Σq, σk²‖q‖²), "
          "variance and mean",
      .domain = Domain()
                    .real("mean_q", -2, 2, 0.25)
                    .real("mean_k", -2, 2, 0.25)
                    .real("sd_q", 0.25, 2, 0.25)
                    .real("sd_k", 0.25, 2, 0.25)
                    .integer("d_k", 1, 40)
                    .integer("n", 6, 24)
                    .integer("m", 16, 48)
                    .valid("n ≤ d_k", at_most("n", "d_k")),
      .needs = {{"scores"}},
      // The mean is read off one query a block; its δ, in standard deviations, is the coarser one.
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "variance", .law = stats::scale(), .expected = whole},
                 {.name = "mean",
                  .law = stats::location(),
                  .expected = mean,
                  .unit =
                      [](const Configuration& at) {
                        return std::sqrt(variance(at, at.integer("d_k")));
                      },
                  .delta_factor = 4}},
      .sample = sample,
      .defects = {"numbers.scores_centred_queries", "numbers.scores_offset"},
  };
}

}  // namespace rootdk::claims::scores::general_variance
