#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/moments.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace rootdk::claims::init::truncated::correction {
namespace {

constexpr std::int64_t kBlockValues = 2048;

/// Standard deviation of N(0, 1) cut at ±2, by quadrature.
double cut_sd() {
  static const double sd = [] {
    const auto density = [](double z) { return std::exp(-z * z / 2); };
    const double mass = stats::integrate(density, -2, 2).value;
    const double second =
        stats::integrate([&](double z) { return z * z * density(z); }, -2, 2).value;
    return std::sqrt(second / mass);
  }();
  return sd;
}

/// P(|w| > 2 target sd): the target sd is cut_sd of the parent's, whose cut is at 2.
double beyond() {
  const double inside = std::erf(2 * cut_sd() / std::numbers::sqrt2);
  return 1 - inside / std::erf(2 / std::numbers::sqrt2);
}

const stats::Cumulants& square() {
  static const stats::Cumulants moments = [] {
    const Initialiser& rule = initialiser("lecun_truncated");
    return stats::cumulants(
        {1, entry_moment(rule, 4), entry_moment(rule, 6), entry_moment(rule, 8)});
  }();
  return moments;
}

void constants(Block& block) {
  block.digits("values", cut_sd() * cut_sd(), 0.773741303550, 5e-13, "variance of the cut law");
  block.digits("values", cut_sd(), 0.879625661034, 5e-13, "its standard deviation");
  block.digits("values", 2 / cut_sd(), 2.27369, 5e-6, "the cut in target standard deviations");
  block.digits("values", beyond(), 0.0346, 5e-5, "beyond 2 target standard deviations");
  // The closed form that initialisers use: a quotient of numbers good to a few u, against
  // quadrature good to 1e−13.
  block.close("values", truncated_variance(2), cut_sd() * cut_sd(), 1, 1000, "closed form",
              Dtype::f64);
}

double sd_at(const Configuration& at) {
  return at.real("gain") / std::sqrt(static_cast<double>(at.integer("fan_in")));
}

void sample(Block& block) {
  const std::int64_t rows = block.integer("fan_in");
  const double sd = sd_at(block.configuration());
  const Tensor w = block.matrix(rows, (kBlockValues + rows - 1) / rows);
  block.forward(
      "init",
      {.initialiser = "lecun_truncated", .gain = block.real("gain"), .seed = block.seed("W")}, {},
      {w});
  const std::span<const double> seen = block.values(w);
  std::vector<double> z(seen.begin(), seen.end());
  for (double& value : z) value /= sd;
  const auto outer = std::ranges::count_if(z, [](double v) { return std::abs(v) > 2; });
  block.count("beyond", static_cast<double>(z.size()), static_cast<double>(outer));
  for (double& value : z) value = (value * value - 1) / square().sd;
  block.standardised("variance", stats::Independent{z});
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Cutting N(0, 1) at ±2 leaves a variance of 0.773741; a truncated initialiser "
          "widens its parent law by 1/0.879626, so that the draws have the target variance "
          "and 3.46 % of them lie beyond 2 target standard deviations",
      .latex =
          R"(\operatorname{Var}(z \mid |z|<2) = 1-\frac{4\,\varphi(2)}{2\Phi(2)-1} = 0.773741)",
      .source = "section “The solution of initialisation”",
      .derivation =
          "Integration by parts: ∫z²φ = ∫φ − [zφ], so what is cut takes 2cφ(c) from the "
          "second moment and 2Φ(−c) from the mass. The cut then lies at ±2 parent, "
          "±2.27369 target standard deviations.",
      .method = "Q: variance of the cut law; M: w² with exact cumulants; L: Bin(n, 0.0346)",
      .domain = Domain()
                    .integer("fan_in", 1, 512)
                    .real("gain", 0.25, 4, 0.0625)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"init"}},
      .checks = {{.name = "variance",
                  .law = square().law(),
                  .expected = [](const Configuration& at) { return sd_at(at) * sd_at(at); },
                  .unit =
                      [](const Configuration& at) { return square().sd * sd_at(at) * sd_at(at); }},
                 {.name = "beyond", .law = stats::proportion(beyond())},
                 {.name = "values", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.truncated_uncorrected", "init.truncated_clipped",
                  "init.truncated_absolute_bounds", "init.truncated_bf16"},
  };
}

}  // namespace rootdk::claims::init::truncated::correction
