#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <cmath>

namespace rootdk::claims::scaling::absorbed_forward {
namespace {

/// Σ_c (Σ_a |x_ia w_ac|) |k_jc|, row i's part of the error bound of (x W) Kᵀ.
double absolute_chain(const Tensor& x, const Tensor& w, std::int64_t i, const Tensor& k,
                      std::int64_t j) {
  double sum = 0;
  for (std::int64_t c = 0; c < w.cols(); ++c) {
    double column = 0;
    for (std::int64_t a = 0; a < w.rows(); ++a)
      column += std::abs(element(x, i, a) * element(w, a, c));
    sum += column * std::abs(element(k, j, c));
  }
  return sum;
}

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  // Every third configuration has a d_k whose root, and the root of that, are powers of two.
  const std::int64_t d = block.text("width") == "16^k" ? (block.integer("d_k") % 2 == 0 ? 16 : 256)
                                                       : block.integer("d_k");
  const double root = std::sqrt(static_cast<double>(d));
  const Tensor x = block.normal("x", 3, n_in);
  const Tensor k = block.normal("K", 4, d);
  const Tensor w = block.normal("W_Q", n_in, d, 1 / std::sqrt(static_cast<double>(n_in)));
  const Tensor absorbed_w = block.matrix(n_in, d);
  copy(absorbed_w, w);
  multiply(absorbed_w, 1 / root);
  const Tensor q = block.matrix(3, d);
  const Tensor absorbed_q = block.matrix(3, d);
  const Tensor s = block.matrix(3, 4);
  const Tensor absorbed = block.matrix(3, 4);
  block.forward("linear", {}, {x, w}, {q});
  block.forward("linear", {}, {x, absorbed_w}, {absorbed_q});
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
  block.forward("scores", {.scheme = "absorbed"}, {absorbed_q, k}, {absorbed});
  // Two sums, of n_in and of d terms, on each side, and 4 u for the roots and products.
  const double tolerance = 2 * static_cast<double>(n_in + d + 4);
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) {
      const double scale = absolute_chain(x, w, i, k, j) / root;
      block.close("equal", element(absorbed, i, j), element(s, i, j), scale, tolerance);
      const bool same = element(absorbed, i, j) == element(s, i, j);
      block.holds("same bits", same || block.text("width") != "16^k");
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "With W_Q′ = W_Q/√d_k the forward pass without a division gives the scores of sqrt_dk, "
          "bit for bit where the factor is a power of two",
      .latex = R"((xW_Q/\sqrt{d_k})(xW_K)^\top = (xW_Q)(xW_K)^\top/\sqrt{d_k})",
      .source = "section “Absorbing the scaling into the initialisation of W_Q”",
      .premise =
          "Same bits: d_k = 16, 256. For a power of 4 the factor is a power of two, for one of 16 "
          "so "
          "is its root, which a kernel may put on Q and K",
      .derivation =
          "The factor is linear and moves from the scores into the weight; multiplication by a "
          "power of two is exact, so it commutes with every rounding.",
      .method = "I: within 2 (n_in + d_k + 4) u of Σ|x||W||k|/√d_k; exact equality",
      .domain = Domain()
                    .integer("n_in", 1, 48)
                    .integer("d_k", 1, 96)
                    .choice("width", {"any", "16^k"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"linear"}, {"scores"}},
      .checks = {{.name = "equal", .law = stats::bound()},
                 {.name = "same bits", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::scaling::absorbed_forward
