#include <rootdk/properties/claim.hpp>

#include <cmath>
#include <cstddef>

namespace rootdk::claims::init::packed_qkv {
namespace {

double whole(const Configuration& at, std::string_view field) {
  return static_cast<double>(at.integer(field));
}
std::int64_t width(const Configuration& at) {
  return at.integer("heads") * at.integer("shards") * at.integer("width");
}
/// Glorot of (D, D).
double query(const Configuration& at) { return 1 / static_cast<double>(width(at)); }
/// DeepNorm damps the value by β = (8N)^−¼, but not query and key.
double value(const Configuration& at) {
  return at.text("recipe") == "deepnorm" ? query(at) / std::sqrt(8 * whole(at, "layers"))
                                         : query(at);
}

/// Columns [first, first + count).
Tensor columns(const Tensor& w, std::int64_t first, std::int64_t count) {
  Tensor part = w;
  part.data = static_cast<std::byte*>(w.data) + static_cast<std::size_t>(first) * size_of(w.dtype);
  part.shape[3] = count;
  return part;
}

void sample(Block& block) {
  const Configuration& at = block.configuration();
  const std::int64_t d = width(at);
  const std::int64_t shards = block.integer("shards");
  Attributes a{.heads = block.integer("heads"),
               .layer = block.integer("layers") / 2,
               .d_model = d,
               .branches = whole(at, "layers"),
               .seed = block.seed("W"),
               .recipe = block.text("recipe"),
               .role = "packed_qkv"};
  const Tensor w = block.matrix(d, 3 * d);
  block.forward("init_parameter", a, {}, {w});
  const auto seen = [&](std::string_view check, const Tensor& part, double variance) {
    block.chi_squared(
        check, stats::sum_of_squares(stats::Independent{block.values(part)}, std::sqrt(variance)));
  };
  seen("query", columns(w, 0, d), query(at));
  seen("key", columns(w, d, d), query(at));
  seen("value", columns(w, 2 * d, d), value(at));
  // The head, LeCun's 1/D, split by rows: a shard holds D/shards of the D inputs.
  a.role = "head";
  a.layer = 0;
  a.vocabulary = 2 * d;
  a.shards = shards;
  a.shard = shards - 1;
  const Tensor shard = block.matrix(d / shards, a.vocabulary);
  block.forward("init_parameter", a, {}, {shard});
  seen("shard", shard, query(at));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "The fan is the role's, not the tensor's: each of W_Q, W_K, W_V has Glorot's "
          "variance of (D, D) also when they lie in one (D × 3D) matrix, for any number of "
          "heads, and a shard has the variance of the whole",
      .latex = R"(\operatorname{Var}(W_Q)=\frac{2}{D+D}\ne\frac{2}{D+3D})",
      .source = "section “The relation between √d_k and initialisation”",
      .premise = "normal entries",
      .derivation =
          "What keeps a variance is the number of terms in the sums x W and dy Wᵀ that W "
          "takes part in. Storing three matrices side by side, cutting one into heads or "
          "over machines changes no sum, so it must change no variance.",
      .method = "L: Σw²/σ² ~ χ² in each part",
      .domain = Domain()
                    .choice("recipe", {"glorot", "deepnorm"})
                    .integer("heads", 1, 6)
                    .integer("shards", 1, 4)
                    .integer("width", 1, 3)
                    .integer("layers", 2, 48),
      .needs = {{"init_parameter"}},
      .checks = {{.name = "query", .law = stats::scale(), .expected = query},
                 {.name = "key", .law = stats::scale(), .expected = query},
                 {.name = "value", .law = stats::scale(), .expected = value},
                 {.name = "shard", .law = stats::scale(), .expected = query}},
      .sample = sample,
      .defects = {"init.packed_qkv", "init.one_head_fan", "init.shard_fan", "init.value_unscaled"},
  };
}

}  // namespace rootdk::claims::init::packed_qkv
