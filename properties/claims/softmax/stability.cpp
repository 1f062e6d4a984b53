#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rootdk::claims::softmax::stability {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rows at the ends of the range: everyday, all huge, spread over the whole range, with −inf
/// entries, far below the other rows, and masked altogether.
enum Row : std::int64_t { everyday, huge, spread, holes, far_below, masked, rows };

Tensor extreme_logits(Block& block, std::int64_t m) {
  const double most = block.text("dtype") == "f32" ? 3e38 : 1e308;
  const Tensor z = block.normal("z", rows, m, 40);
  for (std::int64_t j = 0; j < m; ++j) {
    set_element(z, huge, j, most);
    set_element(z, spread, j, j % 2 == 0 ? most : -most);
    if (j % 3 == 1) set_element(z, holes, j, -kInfinity);
    set_element(z, far_below, j, element(z, far_below, j) - most / 2);
    set_element(z, masked, j, -kInfinity);
  }
  return z;
}

/// (m + 4) u of each probability, and 2 u for each unit of its distance from the largest logit,
/// within which it does not underflow.
void compare_row(Block& block, const Tensor& z, const Tensor& p, std::int64_t i) {
  long double top = -kInfinity;
  for (std::int64_t j = 0; j < z.cols(); ++j) {
    top = std::max(top, static_cast<long double>(element(z, i, j)));
  }
  long double sum = 0;
  for (std::int64_t j = 0; j < z.cols(); ++j) sum += std::exp(element(z, i, j) - top);
  for (std::int64_t j = 0; j < z.cols(); ++j) {
    const auto distance = static_cast<double>(top - element(z, i, j));
    const auto exact = static_cast<double>(std::exp(element(z, i, j) - top) / sum);
    const double least = z.dtype == Dtype::f32 ? 0x1p-126 : 0x1p-1022;
    if (exact < least) {
      block.holds("value", element(p, i, j) <= least);
      continue;
    }
    const double tolerance = static_cast<double>(z.cols()) + 4 + 2 * distance;
    block.close("value", element(p, i, j), exact, exact, tolerance);
  }
}

void softmax_rows(Block& block) {
  const auto m = block.integer("m");
  const Tensor z = extreme_logits(block, m);
  const Tensor p = block.matrix(rows, m);
  block.forward("softmax", {}, {z}, {p});
  for (std::int64_t i = 0; i < masked; ++i) compare_row(block, z, p, i);
  for (std::int64_t j = 0; j < m; ++j) {
    block.holds("masked", element(p, masked, j) == 0);
    block.holds("masked", j % 3 != 1 || element(p, holes, j) == 0);
  }
}

/// Every output of every row: 0 where the query sees no key; the same bits as without the masked
/// rows' neighbours; sums of probabilities where it does.
void attention_rows(Block& block) {
  const auto n = block.integer("n");
  const auto m = block.integer("m");
  const std::string& mask = block.text("mask");
  const bool padded = mask == "padding" || mask == "both";
  const std::array<std::int64_t, 2> lengths{0, 1 + m / 2};
  Attributes a{.scheme = "sqrt_dk", .causal = mask == "causal" || mask == "both"};
  if (padded) a.key_lengths = lengths;
  const std::array<std::int64_t, 4> queries{2, 1, n, 5};
  const std::array<std::int64_t, 4> keys{2, 1, m, 5};
  const Tensor q = block.normal("q", queries, 6);
  const Tensor k = block.normal("k", keys);
  const Tensor v = block.tensor(keys);
  fill(v, 1);
  const Tensor o = block.tensor(queries);
  block.forward("attention", a, {q, k, v}, {o});
  const Tensor dq = block.tensor(queries);
  const Tensor dk = block.tensor(keys);
  const Tensor dv = block.tensor(keys);
  const Tensor cotangent = block.normal("do", queries);
  block.backward("attention", a, {q, k, v, cotangent}, {dq, dk, dv});
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t length = padded ? lengths.at(static_cast<std::size_t>(b)) : m;
      const std::int64_t seen = std::min(length, a.causal ? i + 1 + m - n : m);
      for (std::int64_t c = 0; c < 5; ++c) {
        const double value = element(matrix(o, b, 0), i, c);
        if (seen > 0) {
          block.close("rows sum to 1", value, 1, 1, 2 * (static_cast<double>(m) + 4));
        } else {
          block.holds("masked", value == 0 && element(matrix(dq, b, 0), i, c) == 0);
        }
      }
    }
    for (const Tensor& gradient : {dq, dk, dv}) {
      for (const double value : block.values(matrix(gradient, b, 0))) {
        block.holds("finite", std::isfinite(value));
      }
    }
  }
}

/// Row 0 keeps its bits when row 1 is masked.
void neighbours(Block& block) {
  const auto m = block.integer("m");
  const Tensor z = block.normal("pair", 2, m, 3);
  const Tensor before = block.matrix(2, m);
  const Tensor after = block.matrix(2, m);
  block.forward("softmax", {}, {z}, {before});
  for (std::int64_t j = 0; j < m; ++j) set_element(z, 1, j, -kInfinity);
  block.forward("softmax", {}, {z}, {after});
  for (std::int64_t j = 0; j < m; ++j) {
    block.holds("neighbours", element(before, 0, j) == element(after, 0, j));
  }
}

void sample(Block& block) {
  softmax_rows(block);
  attention_rows(block);
  neighbours(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Softmax is finite and right at the ends of the range, and a query that sees no key "
          "has outputs and gradients of exactly 0 and leaves the other rows as they are",
      .latex = R"(p_j = e^{z_j - \max z}/\textstyle\sum_k e^{z_k - \max z})",
      .source = "section “What do these values become in softmax?”",
      .derivation =
          "Minus the row's own largest logit every exponent is at most 0, so nothing "
          "overflows and one term of the sum is 1. A row of −∞ alone has no largest logit: "
          "zeros are its convention, which keep NaN out of shared gradients.",
      .method = "I: against extended precision, within (m + 4 + 2 |z − max z|) u",
      .domain = Domain()
                    .integer("n", 1, 9)
                    .integer("m", 2, 33)
                    .choice("mask", {"none", "causal", "padding", "both"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}, {"attention"}, {"attention", Pass::backward}},
      .checks = {{.name = "value", .law = stats::bound()},
                 {.name = "rows sum to 1", .law = stats::bound()},
                 {.name = "masked", .law = stats::bound()},
                 {.name = "finite", .law = stats::bound()},
                 {.name = "neighbours", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_unshifted", "scale.scale_after_softmax", "scale.exponent_base"},
  };
}

}  // namespace rootdk::claims::softmax::stability
