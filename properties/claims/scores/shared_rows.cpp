#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scores::shared_rows {
namespace {

/// T [vectors of q, vectors of k]: every score of two small laws, and their variances and d.
struct AllScores {
  std::vector<double> t;
  std::int64_t queries, keys, d, of_q, of_k;

  double at(std::int64_t i, std::int64_t j) const {
    return t[static_cast<std::size_t>(i * keys + j)];
  }
  /// σ⁴ (d² + d(κ − 1)); a law of s signs has variance s and kurtosis s.
  double paired_squares(std::int64_t kurtosis) const {
    return static_cast<double>(of_q * of_q * of_k * of_k * (d * d + d * (kurtosis - 1)));
  }
};

AllScores all_scores(Block& block, std::int64_t d) {
  const std::int64_t of_q = block.integer("signs_q");
  const std::int64_t of_k = block.integer("signs_k");
  const Tensor q = every_vector(block, d, of_q);
  const Tensor k = every_vector(block, d, of_k);
  const Tensor s = block.matrix(q.rows(), k.rows());
  block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  const auto values = block.values(s);
  return {{values.begin(), values.end()}, q.rows(), k.rows(), d, of_q, of_k};
}

/// E S_ij S_il = 0 and E S_ij² S_il² = σ⁴(d² + d(κq − 1)), where i shares its query: given the
/// query two keys are independent, so the pair's mean is a square of a mean over keys. All in
/// integers.
void pairs(Block& block, const AllScores& all) {
  double product = 0;
  double squares = 0;
  for (std::int64_t i = 0; i < all.queries; ++i) {
    double sum = 0;
    double square = 0;
    for (std::int64_t j = 0; j < all.keys; ++j) {
      sum += all.at(i, j);
      square += all.at(i, j) * all.at(i, j);
    }
    product += sum * sum;
    squares += square * square;
  }
  const auto count = static_cast<double>(all.queries * all.keys * all.keys);
  block.holds("uncorrelated", product == 0, "E S_ij S_il");
  block.holds("covariance", squares == count * all.paired_squares(all.of_q), "E S_ij² S_il²");
}

AllScores transposed(const AllScores& all) {
  AllScores result{all.t, all.keys, all.queries, all.d, all.of_k, all.of_q};
  for (std::int64_t i = 0; i < all.queries; ++i) {
    for (std::int64_t j = 0; j < all.keys; ++j) {
      result.t[static_cast<std::size_t>(j * all.queries + i)] = all.at(i, j);
    }
  }
  return result;
}

/// Var of the mean of S² over 2 × 2 scores, from every choice of two queries and two keys.
void two_by_two(Block& block) {
  const AllScores all = all_scores(block, std::min<std::int64_t>(block.integer("d_k"), 2));
  double squares = 0;  // Σ (4 mean S²)²
  for (std::int64_t a = 0; a < all.queries; ++a) {
    for (std::int64_t b = 0; b < all.queries; ++b) {
      for (std::int64_t i = 0; i < all.keys; ++i) {
        const double left = all.at(a, i) * all.at(a, i) + all.at(b, i) * all.at(b, i);
        for (std::int64_t j = 0; j < all.keys; ++j) {
          const double sum = left + all.at(a, j) * all.at(a, j) + all.at(b, j) * all.at(b, j);
          squares += sum * sum;
        }
      }
    }
  }
  // nm Var(mean S²)/σ⁴ = 2d² − 3d + dκqκk + (m−1)d(κq−1) + (n−1)d(κk−1), n = m = 2; E S² = σ²d.
  const std::int64_t variance = 2 * all.d * all.d - 3 * all.d + all.d * all.of_q * all.of_k +
                                all.d * (all.of_q - 1) + all.d * (all.of_k - 1);
  const std::int64_t sigma4 = all.of_q * all.of_q * all.of_k * all.of_k;
  const std::int64_t expected = sigma4 * (4 * variance + 16 * all.d * all.d);
  const auto count = static_cast<double>(all.queries * all.queries * all.keys * all.keys);
  block.holds("variance, 2 × 2", squares == count * static_cast<double>(expected),
              "Var of the mean of S²");
}

// Nominal false alarms of the χ² test that takes m scores for independent.
constexpr double kNominal = 0.05;

double naive_limit(const Configuration& at) {
  return stats::chi_squared_upper_quantile(static_cast<double>(at.integer("m")), kNominal);
}

/// Its true ones: Σ S²/d over the m scores of one query is ‖q‖²/d times a χ²(m).
double false_alarms(const Configuration& at) {
  const auto d = static_cast<double>(at.integer("d_k"));
  const auto m = static_cast<double>(at.integer("m"));
  const double limit = naive_limit(at);
  return stats::norm_expectation(
             [&](double r) { return stats::chi_squared_upper(m, limit * d / (r * r)); }, d)
      .value;
}

void sample(Block& block) {
  if (block.first()) {
    const AllScores all = all_scores(block, std::min<std::int64_t>(block.integer("d_k"), 3));
    pairs(block, all);
    pairs(block, transposed(all));
    two_by_two(block);
  }
  constexpr std::int64_t draws = 32;
  const std::int64_t d = block.integer("d_k");
  const std::int64_t m = block.integer("m");
  const bool query_shared = block.text("shared") == "query";
  const Tensor shared = block.normal("shared", {1, draws, 1, d});
  const Tensor others = block.normal("others", {1, draws, m, d});
  const double limit = naive_limit(block.configuration()) * static_cast<double>(d);
  double alarms = 0;
  for (std::int64_t t = 0; t < draws; ++t) {
    const Tensor one = matrix(shared, 0, t);
    const Tensor many = matrix(others, 0, t);
    const Tensor s = query_shared ? block.matrix(1, m) : block.matrix(m, 1);
    block.forward("scores", {.scheme = "none"},
                  {query_shared ? one : many, query_shared ? many : one}, {s});
    alarms += squared_norm(block.values(s)) > limit ? 1 : 0;
  }
  block.count("naive false alarms", static_cast<double>(draws), alarms);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "The entries of one S are uncorrelated but dependent: a χ² test that takes the n·m "
          "entries for independent has its variance wrong by the factor 1 + (n+m+1)/d_k",
      .latex = R"(\operatorname{Cov}(S_{ij}^2, S_{il}^2) = d_k(\kappa_q - 1),\qquad
\operatorname{Var}\,\overline{S^2} = \frac{2d_k^2 - 3d_k + d_k\kappa_q\kappa_k + (m-1)d_k(\kappa_q-1) + (n-1)d_k(\kappa_k-1)}{nm})",
      .source = "section “Deriving the variance of the dot product”, which treats one entry",
      .premise = "entries of Q and K independent, mean 0, variance 1; κ their kurtosis",
      .derivation =
          "Two entries of a row share the query's length: given it their squares both have mean "
          "‖q‖², so they covary by Var‖q‖² = d_k(κq − 1); likewise in a column. Added over n·m "
          "entries, for κ = 3, this gives (2/nm)(1 + (n+m+1)/d_k) instead of 2/nm: 3 times as "
          "much for 64 × 64 scores of width 64.",
      .method =
          "E: every query and key of two- and three-point laws; L: how often the χ² test of "
          "nominal 5 % alarms over one query's m scores (or one key's), by quadrature",
      .domain = Domain()
                    .choice("shared", {"query", "key"})
                    .integer("signs_q", 1, 2)
                    .integer("signs_k", 1, 2)
                    .integer("d_k", 1, 24)
                    .integer("m", 2, 24),
      .needs = {{"scores"}},
      .checks = {{.name = "uncorrelated", .law = stats::bound()},
                 {.name = "covariance", .law = stats::bound()},
                 {.name = "variance, 2 × 2", .law = stats::bound()},
                 {.name = "naive false alarms",
                  .law = stats::proportion(kNominal),
                  .delta_factor = 3,
                  .law_at =
                      [](const Configuration& at) { return stats::proportion(false_alarms(at)); }}},
      .sample = sample,
      .defects = {"numbers.scores_first_key_for_all", "numbers.scores_normalised_queries"},
  };
}

}  // namespace rootdk::claims::scores::shared_rows
