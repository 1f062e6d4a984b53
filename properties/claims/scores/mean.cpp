#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::scores::mean {
namespace {

/// All queries ±1 against all keys ±1.
void exact(Block& block) {
  const std::int64_t d = std::min<std::int64_t>(block.integer("d_k"), 4);
  const Tensor vectors = every_vector(block, d, 1);
  const Tensor s = block.matrix(vectors.rows(), vectors.rows());
  block.forward("scores", {.scheme = "none"}, {vectors, vectors}, {s});
  double sum = 0;
  for (const double v : block.values(s)) sum += v;
  block.holds("exact", sum == 0, "mean score of all vectors ±1");
}

void sample(Block& block) {
  if (block.first()) exact(block);
  const std::int64_t d = block.integer("d_k");
  const std::int64_t m = block.integer("m");
  const Tensor q = block.draw("q", block.text("law_q"), 1, d);
  set_element(q, 0, 0, 1);  // never all zero
  const Tensor s = block.matrix(1, m);
  block.forward("scores", {.scheme = "none"}, {q, block.normal("K", m, d)}, {s});
  const double length = std::sqrt(squared_norm(block.values(q)));
  std::vector<double> values;
  for (const double v : block.values(s)) values.push_back(v / length);
  block.standardised("mean", {values});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement = "The scores of independent queries and keys of mean 0 have mean 0",
      .latex = R"(\mathbb{E}[q\cdot k] = 0)",
      .source = "section “Deriving the variance of the dot product”",
      .premise = "entries of Q and K independent, mean 0, variance 1",
      .derivation =
          "E(q_i k_i) = E q_i · E k_i = 0 for each of the d_k terms. It is enough that one of "
          "the two has mean 0.",
      .method =
          "E: all queries and keys ±1; L: one query, q·k/‖q‖ ~ N(0, 1) given it, whatever its law",
      .domain = Domain()
                    .choice("law_q", {"normal", "uniform", "three_point", "two_point"})
                    .integer("d_k", 1, 64)
                    .integer("m", 32, 96),
      .needs = {{"scores"}},
      .checks = {{.name = "exact", .law = stats::bound()},
                 {.name = "mean",
                  .law = stats::location(),
                  .expected = constant(0),
                  .unit =
                      [](const Configuration& at) {
                        return std::sqrt(static_cast<double>(at.integer("d_k")));
                      }}},
      .sample = sample,
      .defects = {"numbers.scores_offset"},
  };
}

}  // namespace rootdk::claims::scores::mean
