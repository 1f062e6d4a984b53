#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/gaussian_logits.hpp>
#include <rootdk/properties/claims/softmax/pair.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace rootdk::claims::softmax::saturation_slope {
namespace {

constexpr std::int64_t kPairs = 16;

double width(const Configuration& c) { return std::stod(c.text("d_k")); }
double gap_sd(const Configuration& c) {
  return c.text("scheme") == "none" ? std::sqrt(2 * width(c)) : std::numbers::sqrt2;
}

/// E tr J of two keys at ‖q‖² = d unscaled: 2 E p(1 − p).
double trace_of_two(double d) { return 2 * slope_moment(std::sqrt(2 * d), 1).value; }
/// E tr J = 1 − E Σp² of n keys: logits N(0, d).
double trace_of_many(double n, double d) {
  return 1 - GaussianLogits(n, std::sqrt(d), 1).squares();
}

struct Slopes {
  double wide, wider, two, many;
};
Slopes slopes() {
  const auto slope = [](double low, double high, double ratio) {
    return std::log(high / low) / std::log(ratio);
  };
  return {slope(trace_of_two(256), trace_of_two(1024), 4),
          slope(trace_of_two(1024), trace_of_two(4096), 4),
          slope(trace_of_two(16), trace_of_two(32), 2),
          slope(trace_of_many(512, 16), trace_of_many(512, 32), 2)};
}

void sample(Block& block) {
  const auto d = static_cast<std::int64_t>(width(block.configuration()));
  const Tensor q = block.normal("q", 1, d);
  double squares = 0;
  for (const double value : block.values(q)) squares += value * value;
  multiply(q, std::sqrt(static_cast<double>(d) / squares));
  const Tensor k = block.normal("K", 2 * kPairs, d);
  Tensor s = block.matrix(1, 2 * kPairs);
  block.forward("scores", {.scheme = block.text("scheme")}, {q, k}, {s});
  const Tensor dp = block.matrix(kPairs, 2);
  const Tensor dz = block.matrix(kPairs, 2);
  s.shape = dp.shape;
  s.stride = dp.stride;
  // Half the trace of a row's Jacobian: its first diagonal entry.
  fill(dp, 0);
  for (std::int64_t i = 0; i < kPairs; ++i) set_element(dp, i, 0, 1);
  block.backward("softmax", {}, {s, dp}, {dz});
  const Moments& moments = slope_moments(gap_sd(block.configuration()));
  std::vector<double> values;
  for (std::int64_t i = 0; i < kPairs; ++i)
    values.push_back(moments.standardise(element(dz, i, 0)));
  block.standardised("tr J/2", {values});
  if (!block.first()) return;
  // In units of what the statement allows, or of half its last digit.
  static const Slopes known = slopes();
  block.error("slope −½", std::abs(known.wide + 0.5) / 0.003, 1);
  block.error("slope −½", std::abs(known.wider + 0.5) / 0.003, 1);
  block.error("not yet", std::abs(known.two + 0.47) / 0.005, 1);
  block.error("not yet", std::abs(known.many + 0.42) / 0.005, 1);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "From a width of 256 on, what softmax lets through without √d_k falls with slope −½ "
          "in d_k (within .003), with √d_k it does not fall at all; between 16 and 32 the slope is "
          "only −.47 with two keys and −.42 with 512",
      .latex =
          R"(\frac{d\ln E\operatorname{tr}J}{d\ln d_k} \to -\tfrac12 \text{ unscaled},\ 0 \text{ scaled})",
      .source =
          "section “What do these values become in softmax?”; “The effect of dividing by √d_k”",
      .premise = "‖q‖² = d_k fixed, keys standard normal",
      .derivation =
          "The gap between the two largest logits must be of order 1 for a gradient to pass, and "
          "gaps have a density of order 1/√d_k at 0. With two keys the correction is "
          "1 − π²/(12 d_k), so the slope differs from −½ by π²/(12 d_k).",
      .method =
          "Q: slopes between widths; M: mean of tr J at each width with moments by quadrature",
      .domain = Domain()
                    .choice("d_k", {"16", "32", "64", "128", "256", "512"})
                    .choice("scheme", {"none", "sqrt_dk"}),
      .needs = {{"scores"}, {"softmax", Pass::backward}},
      .checks = {{.name = "tr J/2",
                  .law = stats::moment(4, 20),
                  .expected = [](const Configuration& c) { return slope_moments(gap_sd(c)).mean; },
                  .unit = [](const Configuration& c) { return slope_moments(gap_sd(c)).sd; },
                  .delta_factor = 8,
                  .law_at = [](const Configuration& c) { return slope_moments(gap_sd(c)).law(); }},
                 {.name = "slope −½", .law = stats::bound()},
                 {.name = "not yet", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing"},
  };
}

}  // namespace rootdk::claims::softmax::saturation_slope
