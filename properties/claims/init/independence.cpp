#include <rootdk/properties/claim.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace rootdk::claims::init::independence {
namespace {

constexpr std::int64_t kPairs = 32;

/// Two matrices that a model, or two runs of a program, would draw.
struct Pair {
  Attributes first, second;
};

Pair pair_at(const Block& block, Stream& seeds) {
  const std::int64_t layers = block.integer("layers");
  Attributes a{.heads = 2,
               .d_model = block.integer("d_model"),
               .branches = static_cast<double>(layers),
               .seed = seeds(),
               .role = "key"};
  Attributes b = a;
  const std::string& relation = block.text("relation");
  if (relation == "layers")
    b.layer = 1 + static_cast<std::int64_t>(seeds() % static_cast<std::uint64_t>(layers - 1));
  if (relation == "roles") b.role = seeds() % 2 == 0 ? "query" : "value";
  if (relation == "seeds") b.seed = a.seed + 1;
  return {a, b};
}

/// ⟨w, w′ shifted⟩/(σ‖w‖): N(0, 1) given w, when w′ is independent of it.
double correlation(std::span<const double> w, std::span<const double> other, std::size_t lag) {
  double product = 0;
  double norm = 0;
  for (std::size_t i = 0; i + lag < w.size(); ++i) {
    product += w[i] * other[i + lag];
    norm += w[i] * w[i];
  }
  constexpr double sigma = 0.02;
  return product / (sigma * std::sqrt(norm));
}

void sample(Block& block) {
  const auto d = block.integer("d_model");
  const auto lag = static_cast<std::size_t>(block.integer("lag"));
  Stream seeds = block.stream("seeds");
  std::vector<double> aligned;
  std::vector<double> lagged;
  for (std::int64_t i = 0; i < kPairs; ++i) {
    const Pair pair = pair_at(block, seeds);
    const Tensor w = block.matrix(d, d);
    const Tensor other = block.matrix(d, d);
    block.forward("init_parameter", pair.first, {}, {w});
    block.forward("init_parameter", pair.second, {}, {other});
    const std::span<const double> a = block.values(w);
    const std::span<const double> b = block.values(other);
    aligned.push_back(correlation(a, b, 0));
    lagged.push_back(correlation(a, b, lag));
    bool distinct = true;
    for (std::size_t k = 0; k < a.size(); ++k) distinct = distinct && a[k] != b[k];
    block.holds("distinct", distinct, "two equal draws at one position");
  }
  block.standardised("correlation", stats::Independent{aligned});
  block.standardised("lagged", stats::Independent{lagged});
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Different parameters, layers and seeds get independent draws, at any lag, and no "
          "two of them are equal at one position in double",
      .latex = R"(\frac{\langle w, w'\rangle}{\sigma\|w\|} \sim \mathcal N(0,1))",
      .source = "section “Variance of a single linear layer”: W and x independent of each other",
      .premise = "normal entries; recipe gpt2, where every entry has a standard deviation of 0.02",
      .derivation =
          "Given w, the inner product with an independent normal w′ is normal with variance "
          "σ²‖w‖². Layers seeded alike have perfect marginals and an inner product of "
          "‖w‖²: only a law of pairs can see it. Two independent doubles agree with a "
          "probability of about 2⁻⁵².",
      .method = "L: normal given w; I: no two equal values",
      .domain = Domain()
                    .choice("relation", {"layers", "roles", "seeds"})
                    .integer("layers", 2, 24)
                    .integer("d_model", 4, 12)
                    .integer("lag", 1, 8),
      .needs = {{"init_parameter"}},
      // One value a pair of matrices; the effect of a copy is ‖w‖/σ, the width of the matrix.
      .checks = {{.name = "correlation",
                  .law = stats::location(),
                  .expected = constant(0),
                  .delta_factor = 10},
                 {.name = "lagged",
                  .law = stats::location(),
                  .expected = constant(0),
                  .delta_factor = 10},
                 {.name = "distinct", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.same_seed"},
  };
}

}  // namespace rootdk::claims::init::independence
