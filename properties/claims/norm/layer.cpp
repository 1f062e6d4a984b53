#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

namespace rootdk::claims::norm::layer {
namespace {

constexpr double kSd = 64;  // of the integer rows: sums with the mean stay exact in float

double epsilon_of(const std::string& text, long double variance) {
  return text == "variance" ? static_cast<double>(variance) : std::stod(text);
}

/// Bound of |Δy_j|/|γ_j| in u. The computed mean is off by e ≤ d u max|x|, an error that every
/// centred entry shares: E = e/sd. It enters an entry once and, since the true deviations add up to
/// 0, the variance by E² only. The rest is d/2 + 6 roundings of the entry itself.
double entry_bound(double z, double largest, double sd, double d, double shrink, double u) {
  const double shift = d * u * largest / sd;
  const double in_entry = shift + u * (std::abs(z) + shift);
  const double in_scale = std::abs(z) * (0.5 * shift * shift + (0.5 * d + 6) * u);
  return shrink * (in_entry + in_scale) / u;
}

struct Rows {
  std::vector<double> expected, tolerance, seen;
};

Rows normalise(Block& block, const Tensor& x, const Tensor& gamma, const Tensor& beta,
               double epsilon) {
  const auto d = x.cols();
  const Tensor y = block.matrix(1, d, x.dtype);
  block.forward("layer_norm", {.epsilon = epsilon}, {x, gamma, beta}, {y});
  const auto xs = block.values(x);
  const RowMoments m = row_moments(xs);
  const auto shrink =
      static_cast<double>(std::sqrt(m.variance / (m.variance + static_cast<long double>(epsilon))));
  const double u = unit_roundoff(x.dtype);
  Rows rows;
  for (std::int64_t j = 0; j < d; ++j) {
    const double sd = std::sqrt(static_cast<double>(m.variance));
    const auto z = static_cast<double>((xs[static_cast<std::size_t>(j)] - m.mean)) / sd;
    const double gain = element(gamma, 0, j);
    rows.expected.push_back(gain * z * shrink + element(beta, 0, j));
    rows.tolerance.push_back(std::abs(gain) *
                                 entry_bound(z, m.largest, sd, static_cast<double>(d), shrink, u) +
                             std::abs(rows.expected.back()) + std::abs(element(beta, 0, j)));
    rows.seen.push_back(element(y, 0, j));
  }
  return rows;
}

/// Integers of standard deviation kSd about `mean`, never all equal.
Tensor integer_row(Block& block, std::int64_t d, double mean, Dtype dtype) {
  const Tensor x = block.normal("x", 1, d, kSd, Dtype::f64);
  std::vector<double> row;
  for (const double v : block.values(x)) row.push_back(std::round(v) + mean);
  row.front() += row.front() == row.back() ? kSd : 0;
  return block.row(row, dtype);
}

void sample(Block& block) {
  const auto d = block.integer("d");
  const Dtype dtype = dtype_named(block.text("dtype"));
  const Tensor gamma = random_gains(block, "gamma", d, dtype);
  const Tensor beta = block.normal("beta", 1, d, 1, dtype);
  const Tensor centred = integer_row(block, d, 0, dtype);
  const Tensor shifted = block.matrix(1, d, dtype);
  const double mean = kSd * std::stod(block.text("offset"));
  for (std::int64_t j = 0; j < d; ++j) set_element(shifted, 0, j, element(centred, 0, j) + mean);
  const double epsilon =
      epsilon_of(block.text("epsilon"), row_moments(block.values(centred)).variance);
  const Rows at_zero = normalise(block, centred, gamma, beta, epsilon);
  const Rows away = normalise(block, shifted, gamma, beta, epsilon);
  std::vector<double> normal;
  long double allowed = 0;
  for (std::size_t j = 0; j < away.seen.size(); ++j) {
    block.close("entry", away.seen[j], away.expected[j], 1, away.tolerance[j], "y", dtype);
    block.close("shift", away.seen[j], at_zero.seen[j], 1, away.tolerance[j] + at_zero.tolerance[j],
                "LN(x + c) − LN(x)", dtype);
    const auto column = static_cast<std::int64_t>(j);
    normal.push_back((away.seen[j] - element(beta, 0, column)) / element(gamma, 0, column));
    const double each = away.tolerance[j] / std::abs(element(gamma, 0, column));
    allowed += each * each / static_cast<long double>(d);
  }
  // Errors of root mean square R move the mean by at most R and the variance s² by 2 s R + R².
  const RowMoments seen = row_moments(normal);
  const RowMoments x = row_moments(block.values(shifted));
  const auto rms = static_cast<double>(std::sqrt(allowed));
  const auto expected =
      static_cast<double>(x.variance / (x.variance + static_cast<long double>(epsilon)));
  block.close("mean", static_cast<double>(seen.mean), 0, 1, rms, "mean", dtype);
  block.close("variance", static_cast<double>(seen.variance), expected, 1,
              rms * (2 * std::sqrt(expected) + rms * unit_roundoff(dtype)), "variance", dtype);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "LayerNorm gives mean 0 and variance v/(v + ε), v the population variance, and "
          "does not change when a constant is added to the row: the error grows with "
          "mean/sd to the first power at most",
      .latex = R"(y = \frac{x-\bar{x}}{\sqrt{v+\varepsilon}},\; v = \tfrac1d\sum(x_j-\bar{x})^2,)"
               R"(\quad |\Delta y| \le C u\,\mu/\sigma)",
      .source = "section “Numerical stability in the forward pass”: RMSNorm and LayerNorm",
      .premise = "Rows that are not constant, |mean|/sd up to 10⁴",
      .derivation =
          "The variance is the mean of squared deviations, with d and not d − 1 below. "
          "Computed in two passes, an error of the mean is shared by all deviations and "
          "enters the variance by its square only. The one-pass form E x² − (E x)² loses "
          "(mean/sd)² u: all digits in float at mean/sd = 4096.",
      .method = "I: entries, mean, variance and shift against extended precision, bound in u",
      .domain = Domain()
                    .integer("d", 2, 257)
                    .choice("offset", {"10000", "0", "-3000", "1000"})
                    .choice("epsilon", {"0", "variance", "1e-3"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"layer_norm"}},
      .checks = {{.name = "entry", .law = stats::bound()},
                 {.name = "mean", .law = stats::bound()},
                 {.name = "variance", .law = stats::bound()},
                 {.name = "shift", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.one_pass_variance", "numbers.sample_variance", "numbers.eps_outside",
                  "numbers.length_one"},
  };
}

}  // namespace rootdk::claims::norm::layer
