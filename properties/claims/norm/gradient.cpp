#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

namespace rootdk::claims::norm::gradient {
namespace {

struct Row {
  std::vector<long double> g, unit;  ///< γ ⊙ dy and x̂; for LayerNorm g less its mean
  std::vector<double> size;  ///< r (|g_j| + |x̂_j| mean|g x̂|), the terms that dx_j adds up
  long double r = 0;         ///< 1/√(v + ε)
  long double inner = 0;     ///< ⟨γ dy, x̂⟩
  long double squares = 0;   ///< ‖g‖²
  long double share = 0;     ///< v/(v + ε)
};

Row row_at(std::span<const double> x, std::span<const double> gamma, std::span<const double> dy,
           bool layer, double epsilon) {
  const RowMoments m = row_moments(x);
  const long double v = layer ? m.variance : m.mean_square;
  const long double d = static_cast<long double>(x.size());
  Row row{.r = 1 / std::sqrt(v + static_cast<long double>(epsilon))};
  row.share = v * row.r * row.r;
  long double mean_g = 0;
  long double mean_abs = 0;
  long double mean_product = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    row.g.push_back(static_cast<long double>(gamma[j]) * dy[j]);
    row.unit.push_back((x[j] - (layer ? m.mean : 0)) * row.r);
    row.inner += row.g[j] * row.unit[j];
    mean_g += row.g[j] / d;
    mean_abs += std::abs(row.g[j]) / d;
  }
  // A LayerNorm's mean is known to d u max|x| only: that is the size of an error of x̂ in units of d u.
  const long double offset = layer ? m.largest * row.r : 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    mean_product += std::abs(row.g[j]) * (std::abs(row.unit[j]) + offset) / d;
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    const long double terms = std::abs(row.g[j]) + (layer ? mean_abs : 0) +
                              (std::abs(row.unit[j]) + offset) * mean_product;
    row.size.push_back(static_cast<double>(row.r * terms));
    if (layer) row.g[j] -= mean_g;
    row.squares += row.g[j] * row.g[j];
  }
  return row;
}

/// Relative error of dx_j against `size`: r and x̂ carry d/2 + 5 each, the mean of g x̂ another
/// d/2 + 5 and its own sum d + 4, the mean of g d; products, differences and casts 6.
double entry_roundings(std::int64_t d) { return 2.5 * static_cast<double>(d) + 25; }

void check_row(Block& block, const Row& row, std::span<const double> x, std::span<const double> dx,
               bool layer) {
  const long double d = static_cast<long double>(x.size());
  const double bound = entry_roundings(static_cast<std::int64_t>(x.size()));
  long double along = 0, sum = 0, length = 0;
  double along_size = 0, sum_size = 0, length_size = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    along += static_cast<long double>(dx[j]) * x[j];
    sum += dx[j];
    length += static_cast<long double>(dx[j]) * dx[j];
    along_size += row.size[j] * std::abs(x[j]);
    sum_size += row.size[j];
    length_size += row.size[j] * row.size[j];
  }
  const auto expected = static_cast<double>(row.inner * (1 - row.share));
  block.close("along_input", static_cast<double>(along), expected, along_size, bound, "⟨dx, x⟩");
  if (layer) block.close("sum", static_cast<double>(sum), 0, sum_size, bound, "Σ dx");
  const long double left = row.squares - (2 - row.share) * row.inner * row.inner / d;
  block.close("length", static_cast<double>(length), static_cast<double>(row.r * row.r * left),
              length_size, 2 * bound + 1, "‖dx‖²");
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto d = block.integer("d");
  const bool layer = block.text("op") == "layer_norm";
  const double sd = std::ldexp(1.0, static_cast<int>(block.integer("exponent")));
  const double epsilon = sd * sd * block.real("epsilon_share");
  const Tensor x = block.normal("x", n, d, sd);
  const Tensor gamma = random_gains(block, "gamma", d);
  const Tensor beta = block.normal("beta", 1, d);
  const Tensor dy = block.normal("dy", n, d);
  const Tensor dx = block.matrix(n, d);
  const Tensor dgamma = block.matrix(1, d);
  const Tensor dbeta = block.matrix(1, d);
  if (layer) {
    block.backward("layer_norm", {.epsilon = epsilon}, {x, gamma, beta, dy}, {dx, dgamma, dbeta});
  } else {
    block.backward("rms_norm", {.epsilon = epsilon}, {x, gamma, dy}, {dx, dgamma});
  }
  const auto xs = block.values(x);
  const auto dys = block.values(dy);
  const auto dxs = block.values(dx);
  std::vector<long double> gain(static_cast<std::size_t>(d)), shift(gain);
  std::vector<double> gain_size(gain.size()), shift_size(gain.size());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto input = row_of(xs, i, d);
    const auto upstream = row_of(dys, i, d);
    const Row row = row_at(input, block.values(gamma), upstream, layer, epsilon);
    check_row(block, row, input, row_of(dxs, i, d), layer);
    const double offset = layer ? row_moments(input).largest * static_cast<double>(row.r) : 0;
    for (std::size_t j = 0; j < gain.size(); ++j) {
      gain[j] += upstream[j] * row.unit[j];
      gain_size[j] += std::abs(upstream[j]) * (std::abs(static_cast<double>(row.unit[j])) + offset);
      shift[j] += upstream[j];
      shift_size[j] += std::abs(upstream[j]);
    }
  }
  // x̂ carries d + 5 roundings against |x̂| + offset, a sum over n rows n + 1.
  for (std::size_t j = 0; j < gain.size(); ++j) {
    const auto column = static_cast<std::int64_t>(j);
    block.close("gain", element(dgamma, 0, column), static_cast<double>(gain[j]), gain_size[j],
                static_cast<double>(d + n + 8), "dγ");
    if (!layer) continue;
    block.close("shift", element(dbeta, 0, column), static_cast<double>(shift[j]), shift_size[j],
                static_cast<double>(n + 1), "dβ");
  }
  if (!layer) block.holds("sum", true);
  if (!layer) block.holds("shift", true);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "The gradient of a norm keeps only ε/(v + ε) of its part along the input, "
          "⟨dx, x⟩ = ⟨γdy, x̂⟩ ε/(v + ε), has length r² (‖g‖² − (2 − v/(v+ε)) ⟨g, x̂⟩²/d), "
          "and for LayerNorm Σ dx = 0; dγ = Σ dy x̂, dβ = Σ dy",
      .latex = R"(\langle dx, x\rangle = \langle\gamma\odot dy, \hat x\rangle\,)"
               R"(\frac{\varepsilon}{v+\varepsilon},\quad \textstyle\sum_j dx_j = 0)",
      .source = "section “Gradient stability in the backward pass”",
      .premise = "γ is never 1; v is the mean square for RMSNorm, the variance for LayerNorm",
      .derivation =
          "N(cx) = N(x) up to ε, so moving x along itself changes nothing and the "
          "gradient is orthogonal to x; LayerNorm does not see a shift either, so its "
          "gradient adds up to 0. A γ that is used twice in the second term has no error "
          "at γ = 1 and breaks the first identity at once elsewhere.",
      .method = "I: three identities and both parameter gradients, error bound in u × condition",
      .domain = Domain()
                    .integer("n", 1, 4)
                    .integer("d", 2, 129)
                    .integer("exponent", -8, 8)
                    .real("epsilon_share", 0, 2, 0.125)
                    .choice("op", {"rms_norm", "layer_norm"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"rms_norm", Pass::backward}, {"layer_norm", Pass::backward}},
      .checks = {{.name = "along_input", .law = stats::bound()},
                 {.name = "sum", .law = stats::bound()},
                 {.name = "length", .law = stats::bound()},
                 {.name = "gain", .law = stats::bound()},
                 {.name = "shift", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.detached_statistic", "numbers.length_one"},
  };
}

}  // namespace rootdk::claims::norm::gradient
