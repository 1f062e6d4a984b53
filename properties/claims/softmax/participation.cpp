#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/gaussian_logits.hpp>

#include <cmath>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace rootdk::claims::softmax::participation {
namespace {

constexpr std::int64_t kRows = 32;

const Moments& squares(std::int64_t n, double sigma) {
  static std::map<std::pair<std::int64_t, double>, Moments> known;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto [entry, fresh] = known.try_emplace({n, sigma});
  if (fresh) entry->second = GaussianLogits(static_cast<double>(n), sigma).moments();
  return entry->second;
}
const Moments& squares(const Configuration& c) { return squares(c.integer("n"), c.real("sigma")); }

/// What is said of the limit of many keys, by quadrature.
struct Limits {
  double participation, deficit, identity;
  bool converges;
};
Limits limits() {
  const GaussianLogits wide(256, 1, 1);
  const GaussianLogits wider(1024, 1, 1);
  const double e = std::exp(1.0);
  const double gap = e - 256 * wide.squares();
  const double gap_wider = e - 1024 * wider.squares();
  const double deficit_gap = 0.5 - (std::log(256) - wide.entropy());
  const double deficit_wider = 0.5 - (std::log(1024) - wider.entropy());
  return {256 * wide.squares(), std::log(256) - wide.entropy(),
          // Stein's identity: E Σ p z = σ² E Σ ∂p/∂z = σ²(1 − E Σp²).
          std::abs(wide.logits() - (1 - wide.squares())),
          gap > 0 && gap_wider > 0 && gap_wider < gap / 2 && deficit_gap > 0 && deficit_wider > 0 &&
              deficit_wider < deficit_gap / 2};
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const Tensor z = block.normal("z", kRows, n, block.real("sigma"));
  const Tensor p = block.matrix(kRows, n);
  block.forward("softmax", {}, {z}, {p});
  const Moments& moments = squares(block.configuration());
  std::vector<double> values;
  for (std::int64_t i = 0; i < kRows; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += element(p, i, j) * element(p, i, j);
    values.push_back(moments.standardise(sum));
  }
  block.standardised("Σp²", {values});
  if (!block.first()) return;
  // In units of half the last digit.
  static const Limits known = limits();
  block.error("constants", std::abs(known.participation - 2.645623) / 5e-7, 1);
  block.error("constants", std::abs(known.deficit - 0.492987) / 5e-7, 1);
  // Trapezoidal sums of some 10⁵ positive terms, each with an error of a few u.
  block.error("constants", known.identity / unit_roundoff(Dtype::f64), 4096);
  block.holds("limits", known.converges);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "With logits of variance σ² a query spreads over n/e^{σ²} keys: n E Σp² → e^{σ²} and "
          "the entropy is σ²/2 below ln n; at σ = 1 and n = 256, 2.645623 and .492987",
      .latex = R"(n\,E\textstyle\sum p^2 \to e^{\sigma^2},\quad E H \to \ln n - \sigma^2/2)",
      .source = "section “The effect of dividing by √d_k”: the comfortable range",
      .premise = "Logits independent N(0, σ²)",
      .derivation =
          "Σe^z → n e^{σ²/2} and Σe^{2z} → n e^{2σ²}, so nΣp² → e^{2σ²}/e^{σ²}. H = ln Σe^z − "
          "Σpz → ln n + σ²/2 − σ².",
      .method = "M: mean of Σp² with its exact moments; Q: n = 256",
      .domain = Domain().integer("n", 2, 48).real("sigma", 0.25, 1.5, 0.25),
      .needs = {{"softmax"}},
      .checks = {{.name = "Σp²",
                  .law = stats::moment(3, 12),
                  .expected = [](const Configuration& c) { return squares(c).mean; },
                  .unit = [](const Configuration& c) { return squares(c).sd; },
                  .delta_factor = 4,
                  .law_at = [](const Configuration& c) { return squares(c).law(); }},
                 {.name = "constants", .law = stats::bound()},
                 {.name = "limits", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.exponent_base"},
  };
}

}  // namespace rootdk::claims::softmax::participation
