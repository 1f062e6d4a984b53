#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace rootdk::claims::scores::std_table {
namespace {

std::int64_t width(const Configuration& at) { return std::stoll(at.text("d_k")); }

/// The source's table.
double printed(std::int64_t d_k) { return d_k == 32 ? 5.66 : d_k == 64 ? 8.00 : 11.31; }

/// The divisor that was used, read off the largest score, is the table's number to its two digits;
/// and all scores have been divided by it. Their errors are those of two sums of d_k products, with
/// the division and the multiplication back: 2 d_k + 4 roundings of Σ|q k|.
void divisor(Block& block, const Tensor& q, const Tensor& k, const Tensor& raw,
             const Tensor& scaled) {
  const std::int64_t d = q.cols();
  const double root = std::sqrt(static_cast<double>(d));
  std::int64_t row = 0;
  std::int64_t col = 0;
  for (std::int64_t i = 0; i < raw.rows(); ++i) {
    for (std::int64_t j = 0; j < raw.cols(); ++j) {
      if (std::abs(element(raw, i, j)) > std::abs(element(raw, row, col))) {
        row = i;
        col = j;
      }
      double size = 0;
      for (std::int64_t c = 0; c < d; ++c) size += std::abs(element(q, i, c) * element(k, j, c));
      block.close("divisor", root * element(scaled, i, j), element(raw, i, j), size,
                  2 * static_cast<double>(d) + 4, "√d_k S");
    }
  }
  const double ratio = element(raw, row, col) / element(scaled, row, col);
  block.holds("printed", std::round(100 * ratio) == std::round(100 * printed(d)),
              "divisor to two digits");
}

void sample(Block& block) {
  const std::int64_t d = width(block.configuration());
  const std::int64_t n = block.integer("n");
  const std::int64_t m = block.integer("m");
  const Tensor q = block.normal("Q", n, d);
  const Tensor k = block.normal("K", m, d);
  const Tensor raw = block.matrix(n, m);
  const Tensor scaled = block.matrix(n, m);
  block.forward("scores", {.scheme = "none"}, {q, k}, {raw});
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {scaled});
  block.chi_squared("raw", stats::whitened_scores({block.values(raw), n, m}, block.values(q), 1));
  block.chi_squared("scaled", stats::whitened_scores({block.values(scaled), n, m}, block.values(q),
                                                     1 / std::sqrt(static_cast<double>(d))));
  if (block.first()) divisor(block, q, k, raw, scaled);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "For d_k = 32, 64, 128 the scores have standard deviation 5.66, 8.00, 11.31, and 1 "
          "after division by it",
      .latex =
          R"(\operatorname{std}(S) = \sqrt{32},\ \sqrt{64},\ \sqrt{128} = 5.66,\ 8.00,\ 11.31)",
      .source = "section “The effect of dividing by √d_k”",
      .premise = "entries of Q and K independent, mean 0, variance 1",
      .derivation =
          "The variance is d_k, the standard deviation its root. Four times the width doubles "
          "it, so one fixed divisor cannot serve two widths.",
      .method = "L: tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(nm), unscaled and scaled; I: the divisor itself",
      .domain =
          Domain().choice("d_k", {"32", "64", "128"}).integer("n", 12, 32).integer("m", 12, 48),
      .needs = {{"scores"}},
      .checks = {{.name = "raw",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& at) { return static_cast<double>(width(at)); }},
                 {.name = "scaled", .law = stats::scale()},
                 {.name = "divisor", .law = stats::bound()},
                 {.name = "printed", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.scores_root_queries", "numbers.scores_rounded_scale"},
  };
}

}  // namespace rootdk::claims::scores::std_table
