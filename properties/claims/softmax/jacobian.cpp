#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/jacobian_of.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::softmax::jacobian {
namespace {

/// dz = p ⊙ (δ − Σδp) for a random δ; its sum; and the quadratic form of δ.
void gradient(Block& block, const Tensor& z, const JacobianOf& j) {
  const std::int64_t m = z.cols();
  const Tensor dp = block.normal("dp", 1, m);
  const Tensor dz = block.matrix(1, m);
  block.backward("softmax", {}, {z, dp}, {dz});
  double mean = 0;
  double size = 0;
  for (std::int64_t b = 0; b < m; ++b) {
    mean += element(dp, 0, b) * element(j.p, 0, b);
    size = std::max(size, std::abs(element(dp, 0, b)));
  }
  double sum = 0;
  double form = 0;
  double weight = 0;
  for (std::int64_t b = 0; b < m; ++b) {
    const double value = element(dz, 0, b);
    const double p = element(j.p, 0, b);
    block.close("formula", value, p * (element(dp, 0, b) - mean), 4 * p * size, rounding(j));
    sum += value;
    form += value * element(dp, 0, b);
    weight += std::abs(value);
  }
  block.close("sum of dz", sum, 0, weight + size * 0x1p-1000, rounding(j));
  const double u = unit_roundoff(z.dtype);
  block.error("semidefinite", form >= 0 ? 0 : -form / (size * weight * u), rounding(j));
}

void sample(Block& block) {
  const auto m = block.integer("m");
  const Tensor z = block.normal("z", 1, m, block.real("spread"));
  const JacobianOf j = jacobian_of(block, z);
  const auto p = block.values(j.p);
  const auto top = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
  // Cotangents are taken relative to the winner's. For its own entry that is −1 for all the others, and
  // p_b(−1 + Σ others) is rounded at the size of p_b, not of p_b p_top.
  const auto size = [&](std::size_t a, std::size_t b) { return a == top ? p[b] : p[a] * p[b]; };
  for (std::size_t a = 0; a < j.m; ++a) {
    double row = 0;
    double others = 0;
    double sizes = 0;
    for (std::size_t b = 0; b < j.m; ++b) {
      row += j(a, b);
      if (a == b) continue;
      others += p[b];
      sizes += size(a, b);
      block.close("entries", j(a, b), -p[a] * p[b], size(a, b), rounding(j));
      block.close("symmetric", j(a, b), j(b, a), size(a, b) + size(b, a), rounding(j));
    }
    block.close("entries", j(a, a), p[a] * others, p[a] * others, rounding(j));
    block.close("rows", row, 0, 2 * sizes, rounding(j));
  }
  std::vector<double> start;
  for (const double v : block.values(block.normal("v", 1, m, 1, Dtype::f64))) start.push_back(v);
  const double norm = norm_from_below(j, start);
  const double u = unit_roundoff(z.dtype);
  block.error("norm", norm <= 0.5 ? 0 : (norm - 0.5) / (0.5 * u), rounding(j));
  gradient(block, z, j);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "The Jacobian of softmax is diag(p) − ppᵀ: symmetric, positive semidefinite, with rows "
          "that sum to 0 and a norm of at most ½",
      .latex = R"(J = \operatorname{diag}(p) - pp^\top,\quad \|J\|_2 \le \tfrac12)",
      .source = "section “What do these values become in softmax?”, the gradient of softmax",
      .derivation =
          "dp_j/dz_k = p_j(1[j = k] − p_k). vᵀJv is the variance of v under p, hence not "
          "negative, and at most (max v − min v)²/4 ≤ ‖v‖²/2.",
      .method = "I: entry by entry, within 4 (m + 4) u of each entry's own size",
      .domain = Domain()
                    .integer("m", 2, 32)
                    .real("spread", 0.25, 4, 0.25)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}, {"softmax", Pass::backward}},
      .checks = {{.name = "entries", .law = stats::bound()},
                 {.name = "symmetric", .law = stats::bound()},
                 {.name = "rows", .law = stats::bound()},
                 {.name = "norm", .law = stats::bound()},
                 {.name = "formula", .law = stats::bound()},
                 {.name = "sum of dz", .law = stats::bound()},
                 {.name = "semidefinite", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_row_sum_lost"},
  };
}

}  // namespace rootdk::claims::softmax::jacobian
