#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/pair.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace rootdk::claims::softmax::gradient_at_query {
namespace {

constexpr std::int64_t kRows = 32;
constexpr double kSmall = 1e-3;

/// k₁ − k₂ has length √2 R, R² ~ χ²(d); given R the gap is N(0, 2s²R²) and δ₁ − δ₂ is √2 N(0, 1):
/// ‖dq‖ = 2 s R |N| σ′(gap).
struct Law {
  Moments norm;
  double rms = 0;
  double share = 0;  ///< P(|dS| > 1e-3)
};

/// Adds one length of k₁ − k₂ over √2: the trapezoidal rule over the gap, whose integrands are
/// analytic up to the poles of σ′ at ±iπ. A step of 1/4 in the gap errs by exp(−8π²).
void add_length(double r, double weight, double s, std::array<double, 4>& raw, double& share) {
  const double width = std::numbers::sqrt2 * s * r;
  const double step = std::min(0.125, 0.25 / width);
  const double density = step / std::sqrt(2 * std::numbers::pi);
  for (double z = 0; z < 9; z += step) {
    const double here = weight * density * std::exp(-z * z / 2) * (z == 0 ? 1 : 2);
    const double slope = logistic_slope(width * z);
    double power = here;
    for (double& moment : raw) moment += power *= 2 * s * r * slope;
    if (slope > kSmall / 16) share += here * std::erfc(kSmall / (2 * slope));  // else below 1e-30
  }
}

Law law_of(double d, double s) {
  // R = √d e^t has the density exp(d t − d(e^{2t} − 1)/2): the same rule, at a quarter of its width.
  const double step = std::min(0.0625, 0.25 / std::sqrt(2 * d));
  std::array<double, 4> raw{};
  double share = 0;
  double total = 0;
  for (const double side : {-1.0, 1.0}) {
    for (double k = side < 0 ? 1 : 0;; ++k) {
      const double t = side * k * step;
      const double weight = std::exp(d * t - d * std::expm1(2 * t) / 2);
      if (weight < 1e-18) break;
      total += weight;
      add_length(std::sqrt(d) * std::exp(t), weight, s, raw, share);
    }
  }
  const double absolute = std::sqrt(2 / std::numbers::pi);
  const std::array<double, 4> normal{absolute, 1, 2 * absolute, 3};  // E|N|^k
  for (std::size_t k = 0; k < 4; ++k) raw.at(k) *= normal.at(k) / total;
  return {moments_of(raw), std::sqrt(raw[1]), share / total};
}

const Law& known(double d, bool scaled) {
  static std::map<std::pair<double, bool>, Law> laws;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto [entry, fresh] = laws.try_emplace({d, scaled});
  if (fresh) entry->second = law_of(d, scaled ? 1 / std::sqrt(d) : 1);
  return entry->second;
}
const Law& known(const Configuration& c) {
  return known(std::stod(c.text("d_k")), c.text("scheme") == "sqrt_dk");
}

void constants(Block& block) {
  struct Row {
    double d, mean, rms, mean_raw, rms_raw, share_raw;
  };
  constexpr std::array rows{
      Row{16, .284, .381, .427, .852, .759}, Row{64, .288, .384, .444, 1.221, .443},
      Row{256, .289, .385, .449, 1.733, .230}, Row{1024, .290, .385, .450, 2.452, .116}};
  // In units of half the last digit.
  const auto digits = [&](double seen, double stated) {
    block.error("constants", std::abs(seen - stated) / 5e-4, 1);
  };
  for (const Row& row : rows) {
    digits(known(row.d, true).norm.mean, row.mean);
    digits(known(row.d, true).rms, row.rms);
    digits(known(row.d, false).norm.mean, row.mean_raw);
    digits(known(row.d, false).rms, row.rms_raw);
    digits(known(row.d, false).share, row.share_raw);
  }
  // The corrections to the limits are of order 1/d_k: a quarter at four times the width.
  const auto apart = [](double d) {
    return std::array{std::abs(known(d, false).norm.mean - std::numbers::sqrt2 / std::numbers::pi),
                      std::abs(known(d, false).rms /
                                   (std::pow(d / std::numbers::pi, 0.25) / std::numbers::sqrt3) -
                               1)};
  };
  for (std::size_t k = 0; k < 2; ++k) {
    block.holds("limits", apart(256).at(k) < apart(64).at(k) / 3);
    block.holds("limits", apart(1024).at(k) < apart(256).at(k) / 3);
  }
}

void sample(Block& block) {
  const auto d = std::stoll(block.text("d_k"));
  const Attributes a{.scheme = block.text("scheme")};
  const std::array<std::int64_t, 4> query{kRows, 1, 1, d};
  const std::array<std::int64_t, 4> keys{kRows, 1, 2, d};
  const std::array<std::int64_t, 4> pair{kRows, 1, 2, 2};
  const Tensor q = block.normal("q", query);
  const Tensor k = block.normal("K", keys);
  const Tensor v = block.tensor(pair);  // the identity: the output is P
  fill(v, 0);
  const Tensor cotangent = block.normal("dP", {kRows, 1, 1, 2});
  const Tensor dq = block.tensor(query);
  const Tensor dk = block.tensor(keys);
  const Tensor dv = block.tensor(pair);
  for (std::int64_t b = 0; b < kRows; ++b) {
    set_element(matrix(v, b, 0), 0, 0, 1);
    set_element(matrix(v, b, 0), 1, 1, 1);
  }
  block.backward("attention", a, {q, k, v, cotangent}, {dq, dk, dv});
  const Law& law = known(block.configuration());
  const double s = block.text("scheme") == "sqrt_dk" ? 1 / std::sqrt(static_cast<double>(d)) : 1;
  const auto gradients = block.values(dq);
  const auto pairs = block.values(k);
  const auto width = static_cast<std::size_t>(d);
  std::vector<double> norms;
  double large = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(kRows); ++b) {
    double gradient = 0;
    double distance = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const double g = gradients[b * width + c];
      const double step = pairs[2 * b * width + c] - pairs[(2 * b + 1) * width + c];
      gradient += g * g;
      distance += step * step;
    }
    norms.push_back(law.norm.standardise(std::sqrt(gradient)));
    large += std::sqrt(gradient / distance) / s > kSmall ? 1 : 0;
  }
  block.standardised("‖dq‖", {norms});
  block.count("|dS| > 0.001", static_cast<double>(kRows), large);
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Without √d_k the gradient at a query is not small on average but rare and large: its "
          "mean norm goes to √2/π while its root mean square grows as d_k^¼ and the share of rows "
          "with a gradient above .001 falls to .116 at d_k = 1024",
      .latex = R"(E\|dq\| \to \sqrt2/\pi,\quad \sqrt{E\|dq\|^2} \sim (d_k/\pi)^{1/4}/\sqrt3)",
      .source = "section “What do these values become in softmax?”",
      .premise = "Two keys, q and k standard normal, cotangent N(0, 1) on p",
      .derivation =
          "‖dq‖ = s‖k₁ − k₂‖ p(1 − p)|δ₁ − δ₂|. Unscaled p(1 − p) is of order 1 with a "
          "probability of order 1/√d_k only, but then the factor ‖k₁ − k₂‖ = √(2d_k) stands "
          "undivided.",
      .erratum =
          Erratum{
              "Without the scaling the gradient is almost 0",
              "Mean ‖dq‖ .427, .444, .449, .450 at d_k = 16, 64, 256, 1024 (scaled: .284 … .290), "
              "rms .852 … 2.452; the share of rows with |dS| > .001 falls, .759, .443, .230, "
              ".116: rare and large, not small on average"},
      .method =
          "Q: constants; M: mean of ‖dq‖; L: share of rows ~ Bin, through attention with V = I",
      .domain = Domain()
                    .choice("d_k", {"16", "3", "7", "33", "64"})
                    .choice("scheme", {"none", "sqrt_dk"}),
      .needs = {{"attention", Pass::backward}},
      .checks = {{.name = "‖dq‖",
                  .law = stats::moment(6, 60),
                  .expected = [](const Configuration& c) { return known(c).norm.mean; },
                  .unit = [](const Configuration& c) { return known(c).norm.sd; },
                  .delta_factor = 4,
                  .law_at = [](const Configuration& c) { return known(c).norm.law(); }},
                 {.name = "|dS| > 0.001",
                  .law = stats::proportion(0.5),
                  .expected = [](const Configuration& c) { return known(c).share; },
                  .delta_factor = 4,
                  .law_at =
                      [](const Configuration& c) { return stats::proportion(known(c).share); }},
                 {.name = "constants", .law = stats::bound()},
                 {.name = "limits", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::softmax::gradient_at_query
