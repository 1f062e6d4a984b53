#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rootdk::claims::softmax::simplex {
namespace {

/// Column c of the row is column (c + 1) mod m of its rotation.
Tensor rotated(Block& block, const Tensor& z) {
  const Tensor result = block.matrix(z.rows(), z.cols());
  for (std::int64_t i = 0; i < z.rows(); ++i) {
    for (std::int64_t j = 0; j < z.cols(); ++j) {
      set_element(result, i, (j + 1) % z.cols(), element(z, i, j));
    }
  }
  return result;
}

/// Each exponential has an error of 2 u (its function 1 u, the final rounding 1 u), their sum one
/// of (m − 1) u more, the reciprocal and the product 2 u: (m + 4) u relative, whatever the order of
/// summation. 16-bit kernels compute in float, where (m + 4) u is far below their own u, and round
/// once: 2 u.
double rounding(const Tensor& p) {
  const bool half = p.dtype == Dtype::f16 || p.dtype == Dtype::bf16;
  return half ? 2 : static_cast<double>(p.cols()) + 4;
}

void check_row(Block& block, const Tensor& z, const Tensor& p, std::int64_t i) {
  const double u = unit_roundoff(p.dtype);
  double sum = 0;
  for (std::int64_t j = 0; j < p.cols(); ++j) {
    const double value = element(p, i, j);
    block.holds("non-negative", value >= 0);
    sum += value;
    const std::int64_t next = (j + 1) % p.cols();
    const double other = element(p, i, next);
    const bool above = element(z, i, j) >= element(z, i, next);
    // Equal logits may take different paths through a vectorised exponential: 2 u each.
    const double excess = above ? other - value : value - other;
    block.error("order", excess <= 0 ? 0 : excess / (u * std::max(value, other)), 4);
  }
  // The errors of the exponentials cancel in Σp; the test's own sum adds m u at most.
  block.close("sum", sum, 1, 1, 2 * rounding(p));
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto m = block.integer("m");
  const Tensor z = block.normal("z", n, m, block.real("spread"));
  const Tensor p = block.matrix(n, m);
  block.forward("softmax", {}, {z}, {p});
  const Tensor turned = block.matrix(n, m);
  block.forward("softmax", {}, {rotated(block, z)}, {turned});
  const Tensor alone = block.matrix(1, m);
  // Below the smallest normal number the error is absolute.
  const double least = block.text("dtype") == "f16" ? 0x1p-14 : 0x1p-126;
  for (std::int64_t i = 0; i < n; ++i) {
    check_row(block, z, p, i);
    Tensor row = z;
    row.shape[2] = 1;
    row.data = static_cast<std::byte*>(z.data) + static_cast<std::size_t>(i * m) * size_of(z.dtype);
    block.forward("softmax", {}, {row}, {alone});
    for (std::int64_t j = 0; j < m; ++j) {
      const double value = element(p, i, j);
      const double scale = std::max(value, least);
      block.close("permutation", element(turned, i, (j + 1) % m), value, scale, 2 * rounding(p));
      block.close("rows apart", element(alone, 0, j), value, scale, 2 * rounding(p));
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Softmax gives probabilities: not negative, of sum 1, in the order of the logits; "
          "it commutes with a permutation of the keys, and rows do not see each other",
      .latex = R"(p_j \ge 0,\ \sum_j p_j = 1,\ z_i \ge z_j \Rightarrow p_i \ge p_j)",
      .source = "section “What do these values become in softmax?”",
      .derivation = "exp is positive and increasing, and each row is divided by its own sum.",
      .method = "I: within (m + 4) u relative for an entry, 2 u in 16 bits with sums in float",
      .domain = Domain()
                    .integer("n", 1, 9)
                    .integer("m", 1, 67)
                    .real("spread", 0.25, 12, 0.25)
                    .choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"softmax"}},
      .checks = {{.name = "non-negative", .law = stats::bound()},
                 {.name = "sum", .law = stats::bound()},
                 {.name = "order", .law = stats::bound()},
                 {.name = "permutation", .law = stats::bound()},
                 {.name = "rows apart", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_axis"},
  };
}

}  // namespace rootdk::claims::softmax::simplex
