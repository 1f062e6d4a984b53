#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::scaling::qk_norm_robust {
namespace {

/// Scores of x W_Q and x W_K, both weights multiplied by c.
Tensor scores_at(Block& block, const Attributes& a, const std::array<Tensor, 3>& xqk, double c) {
  const auto& [x, w_q, w_k] = xqk;
  std::array<Tensor, 2> projected;
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensor w = block.matrix(w_q.rows(), w_q.cols());
    copy(w, i == 0 ? w_q : w_k);
    multiply(w, c);
    projected.at(i) = block.matrix(x.rows(), w.cols());
    block.forward("linear", {}, {x, w}, {projected.at(i)});
  }
  const Tensor s = block.matrix(x.rows(), x.rows());
  block.forward("scores", a, {projected[0], projected[1]}, {s});
  return s;
}

/// Length of Σ|x||W| of a row over the length of x W: what cancels in the projection is paid for
/// when the norm brings the rest back to its size.
double condition(Block& block, const Tensor& x, const Tensor& w, std::int64_t i) {
  const Tensor y = block.matrix(x.rows(), w.cols());
  block.forward("linear", {}, {x, w}, {y});
  double absolute = 0;
  double squares = 0;
  for (std::int64_t c = 0; c < w.cols(); ++c) {
    double column = 0;
    for (std::int64_t a = 0; a < w.rows(); ++a)
      column += std::abs(element(x, i, a) * element(w, a, c));
    absolute += column * column;
    squares += element(y, i, c) * element(y, i, c);
  }
  return std::sqrt(absolute / squares);
}

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto d = block.integer("d_k");
  const double c = block.real("c");
  const double sd = 1 / std::sqrt(static_cast<double>(n_in));
  const std::array<Tensor, 3> xqk{block.normal("x", block.integer("n"), n_in),
                                  block.normal("W_Q", n_in, d, sd),
                                  block.normal("W_K", n_in, d, sd)};
  const Attributes normed{.scheme = "qk_rms_norm_sqrt_dk"};
  const Attributes plain{.scheme = "sqrt_dk"};
  const Tensor s = scores_at(block, normed, xqk, 1);
  const Tensor s_scaled = scores_at(block, normed, xqk, c);
  const Tensor p = scores_at(block, plain, xqk, 1);
  const Tensor p_scaled = scores_at(block, plain, xqk, c);
  const double bound = std::sqrt(static_cast<double>(d));
  const Tensor q = block.matrix(xqk[0].rows(), d);
  const Tensor k = block.matrix(xqk[0].rows(), d);
  block.forward("linear", {}, {xqk[0], xqk[1]}, {q});
  block.forward("linear", {}, {xqk[0], xqk[2]}, {k});
  for (std::int64_t i = 0; i < s.rows(); ++i) {
    for (std::int64_t j = 0; j < s.cols(); ++j) {
      const double conditions =
          condition(block, xqk[0], xqk[1], i) + condition(block, xqk[0], xqk[2], j);
      // (n_in + 1) u of Σ|x||W| in each projection, (2d + 16) u of the bound in the score, on two
      // sides.
      const double tolerance =
          2 * (static_cast<double>(n_in + 2) * conditions + 2 * static_cast<double>(d) + 16);
      block.close("normed", element(s_scaled, i, j), element(s, i, j), bound, tolerance);
      const double length = std::sqrt(absolute_product(q, i, q, i) * absolute_product(k, j, k, j));
      block.close("variance ∝ c⁴", element(p_scaled, i, j), c * c * element(p, i, j),
                  c * c * length / bound, tolerance);
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "QK-Norm keeps the scale of the scores whatever the scale of W_Q and W_K becomes, while "
          "under √d_k a factor c on both multiplies the scores by c² and their variance by c⁴",
      .latex =
          R"(S(cW_Q, cW_K) = S(W_Q, W_K)\ \text{normed},\quad c^2 S(W_Q, W_K)\ \text{under } \sqrt{d_k})",
      .source =
          "section “No scaling at all: QK-Norm”: “keeps the scale of Q and K stable throughout "
          "training”",
      .premise = "ε = 0, c > 0",
      .derivation =
          "A row over its own RMS does not change when the row is multiplied by c > 0; the "
          "product of two rows is multiplied by c².",
      .method = "I: within the rounding of projections, norms and products",
      .domain = Domain()
                    .integer("n_in", 2, 32)
                    .integer("d_k", 2, 48)
                    .integer("n", 1, 5)
                    .real("c", 0.125, 16, 0.125)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"linear"}, {"scores"}},
      .checks = {{.name = "normed", .law = stats::bound()},
                 {.name = "variance ∝ c⁴", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.norm_unused"},
  };
}

}  // namespace rootdk::claims::scaling::qk_norm_robust
