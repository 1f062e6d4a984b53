#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::scaling::learnable_gradient {
namespace {

void sample(Block& block) {
  const double alpha = block.real("alpha");
  const auto d = block.integer("d_k");
  const auto b = block.integer("batch");
  const auto h = block.integer("heads");
  const Tensor q = block.normal("Q", {b, h, block.integer("n"), d});
  const Tensor k = block.normal("K", {b, h, block.integer("m"), d});
  const Tensor ds = block.normal("dS", {b, h, q.rows(), k.rows()});
  const Tensor products = block.tensor(ds.shape);
  const Tensor dq = block.tensor(q.shape);
  const Tensor dk = block.tensor(k.shape);
  const std::array one{alpha};
  const Tensor parameter = block.row(one);
  const Tensor gradient = block.row(one);
  block.forward("scores", {.scheme = "none", .heads = h}, {q, k}, {products});
  block.backward("scores", {.scheme = "learnable", .heads = h}, {q, k, parameter, ds},
                 {dq, dk, gradient});
  const double da = element(gradient, 0, 0);
  const Inner direct = inner(block, ds, products);
  // Every side is a sum of N products of d terms: (N + d) u of the sum of absolute terms, which the
  // lengths of the rows bound: Σ|dS_ij| Σ_c|q_ic k_jc|.
  double scale = 0;
  for (std::int64_t x = 0; x < b; ++x) {
    for (std::int64_t y = 0; y < h; ++y) {
      for (std::int64_t i = 0; i < q.rows(); ++i) {
        for (std::int64_t j = 0; j < k.rows(); ++j) {
          scale += std::abs(element(matrix(ds, x, y), i, j)) *
                   absolute_product(matrix(q, x, y), i, matrix(k, x, y), j);
        }
      }
    }
  }
  const double tolerance = 2 * static_cast<double>(ds.size() + q.size() + k.size() + d);
  block.close("dα", da, direct.value, scale, tolerance);
  block.close("α dα = ⟨dQ, Q⟩", inner(block, dq, q).value, alpha * da, alpha * scale, tolerance);
  block.close("α dα = ⟨dK, K⟩", inner(block, dk, k).value, alpha * da, alpha * scale, tolerance);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "The gradient of a learnable scale is one number, summed over batch, heads, queries and "
          "keys, and α dα equals ⟨dQ, Q⟩ and ⟨dK, K⟩",
      .latex =
          R"(d\alpha = \langle dS,\,QK^\top\rangle,\quad \alpha\,d\alpha = \langle dQ, Q\rangle = \langle dK, K\rangle)",
      .source = "section “A learnable scaling factor”; “The backward pass of the scaling”",
      .derivation =
          "S is linear in α, in Q and in K alike: each of them times its own gradient gives "
          "⟨dS, S⟩ (Euler's theorem on homogeneous functions).",
      .method = "I: sums of N terms, within 2 N u of the sum of their absolute values",
      .domain = Domain()
                    .real("alpha", 0.25, 1.75, 0.015625)
                    .integer("d_k", 1, 48)
                    .integer("n", 1, 7)
                    .integer("m", 1, 7)
                    .integer("heads", 1, 4)
                    .integer("batch", 1, 3)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"scores"}, {"scores", Pass::backward}},
      .checks = {{.name = "dα", .law = stats::bound()},
                 {.name = "α dα = ⟨dQ, Q⟩", .law = stats::bound()},
                 {.name = "α dα = ⟨dK, K⟩", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.norm_unused"},
  };
}

}  // namespace rootdk::claims::scaling::learnable_gradient
