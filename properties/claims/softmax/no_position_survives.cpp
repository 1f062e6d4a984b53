#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::softmax::no_position_survives {
namespace {

void sample(Block& block) {
  const auto m = block.integer("m");
  const Tensor z = block.normal("z", 1, m);
  const auto winner = m / 2;
  set_element(z, 0, winner, element(z, 0, winner) + block.real("lead"));
  const Tensor dp = block.normal("dp", 1, m);
  const Tensor p = block.matrix(1, m);
  const Tensor dz = block.matrix(1, m);
  block.forward("softmax", {}, {z}, {p});
  block.backward("softmax", {}, {z, dp}, {dz});
  const double u = unit_roundoff(z.dtype);
  double sum = 0;
  double size = 0;
  double all = 0;
  double low = element(dp, 0, 0);
  double high = low;
  for (std::int64_t j = 0; j < m; ++j) {
    sum += element(dz, 0, j);
    size += std::abs(element(dz, 0, j));
    all += element(p, 0, j);
    low = std::min(low, element(dp, 0, j));
    high = std::max(high, element(dp, 0, j));
  }
  // Errors: (m + 4) u of p, 2 u of each difference of cotangents, m u of their mean, in each term
  // of the size of p_j(1 − p_j)(max δ − min δ) or of what it sums to.
  const double tolerance = 4 * (static_cast<double>(m) + 4);
  block.close("sum", sum, 0, size + 0x1p-120, tolerance);
  for (std::int64_t j = 0; j < m; ++j) {
    const double value = std::abs(element(dz, 0, j));
    block.error("half", value <= size / 2 ? 0 : (value - size / 2) / (size * u), tolerance);
    double others = 0;
    for (std::int64_t b = 0; b < m; ++b) others += b == j ? 0 : element(p, 0, b);
    const double most = element(p, 0, j) * others / all * (high - low);
    // The mean is summed over positive weights 1 − p_j apart: its rounding is m u of the whole
    // row's range, times p_j · (1 − max p).
    block.error("each", value <= most ? 0 : (value - most) / (most * u), 2 * tolerance);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "At one-hot every position's gradient vanishes, the winner's too: the gradients of a "
          "row sum to 0, none exceeds half their total, and each is below "
          "p(1 − p)(max δ − min δ)",
      .latex =
          R"(\textstyle\sum_i dz_i = 0,\ |dz_i| \le \tfrac12\|dz\|_1,\ |dz_i| \le p_i(1-p_i)(\max\delta - \min\delta))",
      .source = "section “What do these values become in softmax?”: why the gradient is almost 0",
      .derivation =
          "dz_i = p_i(δ_i − Σ_j p_jδ_j) = p_i Σ_{j≠i} p_j(δ_i − δ_j): the sum has weights of "
          "total 1 − p_i, and the winner's 1 − p_i is as small as the losers' p_i.",
      .erratum =
          Erratum{"Only one position has a gradient, the others learn nothing",
                  "No position has one: Σ dz = 0 and |dz_i| ≤ p_i(1 − p_i)(max δ − min δ), so at "
                  "one-hot the winner's gradient vanishes as the losers' do"},
      .method = "I: within 8 (m + 4) u of each term's own size",
      .domain =
          Domain().integer("m", 2, 48).real("lead", 0, 24, 0.125).choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}, {"softmax", Pass::backward}},
      .checks = {{.name = "sum", .law = stats::bound()},
                 {.name = "half", .law = stats::bound()},
                 {.name = "each", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_row_sum_lost"},
  };
}

}  // namespace rootdk::claims::softmax::no_position_survives
