#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <cmath>

namespace rootdk::claims::scaling::order {
namespace {

Tensor multiplied(Block& block, const Tensor& x, double factor) {
  const Tensor result = block.matrix(x.rows(), x.cols());
  copy(result, x);
  multiply(result, factor);
  return result;
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto m = block.integer("m");
  const auto d = block.integer("d_k");
  const Tensor q = block.normal("Q", n, d);
  const Tensor k = block.normal("K", m, d);
  const double s = 1 / std::sqrt(static_cast<double>(d));
  const double root = std::sqrt(s);
  const Tensor own = block.matrix(n, m);
  const Tensor last = block.matrix(n, m);
  const Tensor first = block.matrix(n, m);
  const Tensor split = block.matrix(n, m);
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {own});
  block.forward("scores", {.scheme = "none"}, {q, k}, {last});
  multiply(last, s);
  block.forward("scores", {.scheme = "none"}, {multiplied(block, q, s), k}, {first});
  block.forward("scores", {.scheme = "none"},
                {multiplied(block, q, root), multiplied(block, k, root)}, {split});
  // Products of d terms: d u of Σ|q k|; s and √s, rounded and multiplied on both sides, 3 u each.
  const double tolerance = 2 * (static_cast<double>(d) + 6);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      const double scale = s * absolute_product(q, i, k, j);
      block.close("s(QKᵀ)", element(last, i, j), element(own, i, j), scale, tolerance);
      block.close("(sQ)Kᵀ", element(first, i, j), element(own, i, j), scale, tolerance);
      block.close("(√s Q)(√s K)ᵀ", element(split, i, j), element(own, i, j), scale, tolerance);
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "It does not matter where the factor stands: on the scores, on the queries, or its "
          "root on both",
      .latex = R"(s(QK^\top) = (sQ)K^\top = (\sqrt s\,Q)(\sqrt s\,K)^\top)",
      .source = "section “Absorbing the scaling into the initialisation of W_Q”",
      .derivation =
          "The product is bilinear. In floating point the three differ by roundings: d u of "
          "Σ|q k| for the product, a few u for the factors.",
      .method = "I: within 2 (d_k + 6) u of s Σ|q k|",
      .domain = Domain()
                    .integer("d_k", 1, 128)
                    .integer("n", 1, 9)
                    .integer("m", 1, 9)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"scores"}},
      .checks = {{.name = "s(QKᵀ)", .law = stats::bound()},
                 {.name = "(sQ)Kᵀ", .law = stats::bound()},
                 {.name = "(√s Q)(√s K)ᵀ", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::scaling::order
