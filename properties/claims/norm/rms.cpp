#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

namespace rootdk::claims::norm::rms {
namespace {

double epsilon_of(const std::string& text, long double mean_square) {
  return text == "mean_square" ? static_cast<double>(mean_square) : std::stod(text);
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto d = block.integer("d");
  const Dtype dtype = dtype_named(block.text("dtype"));
  const double sd = std::ldexp(1.0, static_cast<int>(block.integer("exponent")));
  const Tensor x = block.normal("x", n, d, sd, dtype);
  const Tensor gamma = random_gains(block, "gamma", d, dtype);
  const Tensor y = block.matrix(n, d, dtype);
  const auto xs = block.values(x);
  const auto gains = block.values(gamma);
  const double epsilon =
      epsilon_of(block.text("epsilon"), row_moments(row_of(xs, 0, d)).mean_square);
  block.forward("rms_norm", {.epsilon = epsilon}, {x, gamma}, {y});
  const auto ys = block.values(y);
  // Relative error of an entry: a sum of d squares d u, its quotient by d, ε and the sum with it
  // 3 u, all halved by the root; the root, its inverse, two products and the rounding of the
  // expected value itself 5 u.
  const double tolerance = roundings(dtype, 0.5 * static_cast<double>(d + 3) + 5);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto row = row_of(xs, i, d);
    const auto out = row_of(ys, i, d);
    const long double ms = row_moments(row).mean_square;
    const long double root = std::sqrt(ms + static_cast<long double>(epsilon));
    long double seen = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const auto expected = static_cast<double>(gains[j] * (row[j] / root));
      block.close("entry", out[j], expected, std::abs(expected) + smallest_normal(dtype), tolerance,
                  "y", dtype);
      const long double ungained = static_cast<long double>(out[j]) / gains[j];
      seen += ungained * ungained / static_cast<long double>(d);
    }
    const auto expected = static_cast<double>(std::sqrt(ms) / root);
    block.close("rms", static_cast<double>(std::sqrt(seen)), expected,
                expected + 2 * smallest_normal(dtype), tolerance, "RMS(y/γ)", dtype);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "A row leaves RMSNorm, before its gain, with the root mean square √(ms/(ms+ε)), "
          "ms its mean square: ε stands inside the root, and at a row of RMS √ε the "
          "result is 0.7071",
      .latex = R"(\mathrm{RMS}(y/\gamma) = \sqrt{\overline{x^2}/(\overline{x^2}+\varepsilon)})",
      .source = "section “Numerical stability in the forward pass”: divide by the root mean square",
      .premise = "Any finite row that is not zero; sums of 16-bit numbers are accumulated in float",
      .derivation =
          "y = γx/√(ms + ε), so the mean of (y/γ)² is ms/(ms + ε). With ε outside the "
          "root a row of RMS √ε would come out at 0.999 for ε = 1e-6: both forms agree "
          "at RMS 1, which is why the fault survives tests on unit data.",
      .method = "I: entries and root mean square against extended precision, error bound in u",
      .domain = Domain()
                    .integer("n", 1, 4)
                    .integer("d", 1, 257)
                    .integer("exponent", -10, 10)
                    .choice("epsilon", {"mean_square", "0", "1e-6", "1e-3"})
                    .choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"rms_norm"}},
      .checks = {{.name = "rms", .law = stats::bound()}, {.name = "entry", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.eps_outside", "numbers.eps_default", "numbers.round_then_gain",
                  "numbers.length_one", "numbers.mean_subtracted"},
  };
}

}  // namespace rootdk::claims::norm::rms
