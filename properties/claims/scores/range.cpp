#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace rootdk::claims::scores::range {
namespace {

std::int64_t width(const Configuration& at) { return std::stoll(at.text("d_k")); }

/// P(|Z| ≤ c)
double normal_within(double c) { return std::erf(c / std::numbers::sqrt2); }

/// P(|q·k| ≤ c√d) of normal q and k: E P(|Z| ≤ c√d/‖q‖).
double within(std::int64_t d_k, double c) {
  const auto d = static_cast<double>(d_k);
  return stats::norm_expectation([&](double r) { return normal_within(c * std::sqrt(d) / r); }, d)
      .value;
}

constexpr double kThree = 3;
constexpr double kTwoAndHalf = 2.5;

/// The figures of the statement, to their six digits: √64 = 8.
void figures(Block& block) {
  const auto printed = [](double p) { return std::round(1e6 * p); };
  block.holds("figures", printed(within(64, kThree)) == 996696, "24 at d_k = 64");
  block.holds("figures", printed(within(64, kTwoAndHalf)) == 986513, "20 at d_k = 64");
  block.holds("figures", printed(normal_within(kThree)) == 997300, "3 of a normal law");
  block.holds("figures", printed(normal_within(kTwoAndHalf)) == 987581, "2.5 of a normal law");
}

void sample(Block& block) {
  if (block.first()) figures(block);
  const std::int64_t d = width(block.configuration());
  const std::int64_t n = block.integer("pairs");
  const double root = std::sqrt(static_cast<double>(d));
  const Tensor q = block.normal("Q", n, d);
  const Tensor s = block.matrix(n, n);
  block.forward("scores", {.scheme = "none"}, {q, block.normal("K", n, d)}, {s});
  const double length = std::sqrt(squared_norm(block.values(q).first(static_cast<std::size_t>(d))));
  double given = 0;
  double three = 0;
  double less = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    // One query with all keys, then each query with a key of its own.
    given += std::abs(element(s, 0, i)) <= kThree * length ? 1 : 0;
    three += std::abs(element(s, i, i)) <= kThree * root ? 1 : 0;
    less += std::abs(element(s, i, i)) <= kTwoAndHalf * root ? 1 : 0;
  }
  const auto trials = static_cast<double>(n);
  block.count("given the query", trials, given);
  block.count("3 √d_k", trials, three);
  block.count("2.5 √d_k", trials, less);
}

}  // namespace

Claims claim() {
  const auto law_within = [](double c) {
    return [c](const Configuration& at) { return stats::proportion(within(width(at), c)); };
  };
  return Claim{
      .id = {},
      .statement =
          "Given the query 99.73 % of the scores lie within 3‖q‖; without it, at d_k = 64, "
          "99.67 % lie within 24 and 98.65 % within 20",
      .latex =
          R"(P\bigl(|q\cdot k| \le c\sqrt{d_k}\bigr) = \mathbb{E}\left[2\Phi\!\left(\frac{c\sqrt{d_k}}{\lVert q\rVert}\right) - 1\right])",
      .source = "section “What happens to these numbers in softmax?”",
      .premise = "Q and K normal, independent, mean 0, variance 1",
      .derivation =
          "Three standard deviations of a score of width 64 are 24, as 3 are of a scaled one; ±20 "
          "is two and a half. The score mixes normals of different lengths ‖q‖, so its tails "
          "hold slightly more than the normal law's 0.27 % and 1.24 %.",
      .erratum =
          Erratum{.says = "range [−3, 3] for standard deviation 1 beside [−20, 20] for 8",
                  .holds = "±3 standard deviations are ±24, with 99.67 % of the scores; ±20 holds "
                           "98.65 %"},
      .method = "L: exact binomial counts; Q: the mixture over ‖q‖",
      .domain = Domain()
                    .choice("d_k", {"64", "1", "2", "3", "7", "16", "33", "100"})
                    .integer("pairs", 8, 32),
      .needs = {{"scores"}},
      // ±20 taken for three standard deviations moves the share by .18 standard deviations of a
      // trial.
      .checks = {{.name = "figures", .law = stats::bound()},
                 {.name = "given the query",
                  .law = stats::proportion(normal_within(kThree)),
                  .delta_factor = 3},
                 {.name = "3 √d_k",
                  .law = stats::proportion(normal_within(kThree)),
                  .delta_factor = 3,
                  .law_at = law_within(kThree)},
                 {.name = "2.5 √d_k",
                  .law = stats::proportion(normal_within(kTwoAndHalf)),
                  .delta_factor = 3,
                  .law_at = law_within(kTwoAndHalf)}},
      .sample = sample,
      .defects = {"numbers.scores_first_term_twice"},
  };
}

}  // namespace rootdk::claims::scores::range
