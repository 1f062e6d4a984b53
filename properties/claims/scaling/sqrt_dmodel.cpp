#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <cmath>

namespace rootdk::claims::scaling::sqrt_dmodel {
namespace {

void sample(Block& block) {
  const auto d = block.integer("d_k");
  const auto h = block.integer("heads");
  const Tensor q = block.normal("Q", {2, h, block.integer("n"), d});
  const Tensor k = block.normal("K", {2, h, block.integer("m"), d});
  const std::array<std::int64_t, 4> shape{2, h, q.rows(), k.rows()};
  const Tensor own = block.tensor(shape);
  const Tensor head = block.tensor(shape);
  block.forward("scores", {.scheme = "sqrt_dmodel", .heads = h}, {q, k}, {own});
  block.forward("scores", {.scheme = "sqrt_dk", .heads = h}, {q, k}, {head});
  const double root = std::sqrt(static_cast<double>(h));
  const double s = 1 / std::sqrt(static_cast<double>(h * d));
  // Two products of d terms, d u of Σ|q k| each; roots, divisions and products 3 u on each side.
  const double tolerance = 2 * (static_cast<double>(d) + 6);
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t g = 0; g < h; ++g) {
      const Tensor queries = matrix(q, b, g);
      const Tensor keys = matrix(k, b, g);
      for (std::int64_t i = 0; i < q.rows(); ++i) {
        for (std::int64_t j = 0; j < k.rows(); ++j) {
          block.close("ratio", element(matrix(own, b, g), i, j),
                      element(matrix(head, b, g), i, j) / root,
                      s * absolute_product(queries, i, keys, j), tolerance);
        }
      }
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Dividing by √d_model is dividing by √d_k and once more by the root of the number of "
          "heads",
      .latex =
          R"(QK^\top/\sqrt{d_{model}} = (QK^\top/\sqrt{d_k})/\sqrt h,\quad d_{model} = h\,d_k)",
      .source = "section “Dividing by √d_model”",
      .derivation = "d_model = h d_k, so √d_model = √h √d_k.",
      .method = "I: within 2 (d_k + 6) u of Σ|q k|/√d_model",
      .domain = Domain()
                    .integer("d_k", 1, 96)
                    .integer("heads", 1, 12)
                    .integer("n", 1, 6)
                    .integer("m", 1, 6)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"scores"}},
      .checks = {{.name = "ratio", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.sqrt_dmodel", "scale.scale_ignored"},
  };
}

}  // namespace rootdk::claims::scaling::sqrt_dmodel
