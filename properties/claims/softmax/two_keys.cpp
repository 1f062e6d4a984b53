#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/pair.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace rootdk::claims::softmax::two_keys {
namespace {

constexpr std::int64_t kPairs = 32;

/// Standard deviation of the logit gap q·(k₁ − k₂) at ‖q‖² = d_k.
double gap_sd(const Configuration& c) {
  return c.text("scheme") == "none" ? std::sqrt(2.0 * static_cast<double>(c.integer("d_k")))
                                    : std::numbers::sqrt2;
}

void digits(Block& block, double seen, double stated, double half_digit) {
  block.error("constants", std::abs(seen - stated) / half_digit, 1);
}

/// The constants by quadrature, against values that were computed apart, in units of half their last
/// digit, and the power law itself.
void constants(Block& block) {
  const auto at = [](double d) { return slope_moment(std::sqrt(2 * d), 1).value; };
  digits(block, at(1), 0.181581, 5e-7);
  digits(block, at(64), 0.0348205, 5e-8);
  digits(block, at(256), 0.0175747, 5e-8);
  for (const double d : {256.0, 1024.0, 4096.0}) {
    // ∫σ′ = 1 and ∫σ′x² = π²/3: E = (1 − π²/(12 d) + …)/√(4πd), an alternating series.
    const double ratio = at(d) * std::sqrt(4 * std::numbers::pi * d);
    block.holds("power law",
                ratio < 1 && ratio > 1 - std::numbers::pi * std::numbers::pi / (12 * d));
  }
  // Gaussian queries under √d_k: the gap has the length of the query in it.
  const auto gaussian = [](double d) {
    return length_expectation(
               d,
               [&](double r) {
                 return slope_moment(std::numbers::sqrt2 * r / std::sqrt(d), 1).value;
               })
        .value;
  };
  static const std::array mixed{gaussian(16), gaussian(64)};
  digits(block, mixed[0], 0.183371, 5e-7);
  digits(block, mixed[1], 0.182039, 5e-7);
}

void sample(Block& block) {
  const auto d = block.integer("d_k");
  const Tensor q = block.normal("q", 1, d);
  double squares = 0;
  for (const double value : block.values(q)) squares += value * value;
  multiply(q, std::sqrt(static_cast<double>(d) / squares));
  const Tensor k = block.normal("K", 2 * kPairs, d);
  Tensor s = block.matrix(1, 2 * kPairs);
  block.forward("scores", {.scheme = block.text("scheme")}, {q, k}, {s});
  const Tensor p = block.matrix(kPairs, 2);
  s.shape = p.shape;
  s.stride = p.stride;
  block.forward("softmax", {}, {s}, {p});
  const double sd = gap_sd(block.configuration());
  const Moments& moments = slope_moments(sd);
  std::vector<double> gaps;
  std::vector<double> slopes;
  for (std::int64_t i = 0; i < kPairs; ++i) {
    gaps.push_back(std::log(element(p, i, 0)) - std::log(element(p, i, 1)));
    slopes.push_back(moments.standardise(element(p, i, 0) * element(p, i, 1)));
  }
  block.chi_squared("gap", stats::sum_of_squares(stats::Independent{gaps}, sd));
  block.standardised("p(1 − p)", {slopes});
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "For two keys, what softmax lets through falls as (4πd_k)^(−1/2) without the division "
          "by √d_k, a power law and no cliff; with it, it is .181581 for every d_k",
      .latex = R"(E[p(1-p)] \sim (4\pi d_k)^{-1/2},\quad .181581 \text{ scaled})",
      .source =
          "section “What do these values become in softmax?”; “The effect of dividing by √d_k”",
      .premise = "‖q‖² = d_k fixed, keys standard normal; Gaussian q: .183371 at 16, .182039 at 64",
      .derivation =
          "The gap of the logits is N(0, 2d_k), and p(1 − p) = σ′(gap). σ′ has integral 1, so for "
          "a wide gap E σ′ is the density of the gap at 0, 1/√(2π · 2d_k).",
      .method = "L: gap²/(2d_k) ~ χ²; M: mean of p(1 − p) with moments by quadrature; Q: constants",
      .domain = Domain().integer("d_k", 1, 64).choice("scheme", {"none", "sqrt_dk"}),
      .needs = {{"scores"}, {"softmax"}},
      .checks = {{.name = "gap",
                  .law = stats::scale(),
                  .expected = [](const Configuration& c) { return gap_sd(c) * gap_sd(c); },
                  .delta_factor = 4},
                 {.name = "p(1 − p)",
                  .law = stats::moment(3, 10),
                  .expected = [](const Configuration& c) { return slope_moments(gap_sd(c)).mean; },
                  .unit = [](const Configuration& c) { return slope_moments(gap_sd(c)).sd; },
                  .delta_factor = 4,
                  .law_at = [](const Configuration& c) { return slope_moments(gap_sd(c)).law(); }},
                 {.name = "constants", .law = stats::bound()},
                 {.name = "power law", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.exponent_base", "scale.scale_missing"},
  };
}

}  // namespace rootdk::claims::softmax::two_keys
