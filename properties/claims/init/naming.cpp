#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::init::naming {
namespace {

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto n_out = block.integer("n_out");
  const std::string& law = block.text("law");
  const Tensor lecun = block.matrix(n_in, n_out);
  const Tensor glorot = block.matrix(n_in, n_out);
  const std::uint64_t seed = block.seed("W");
  block.forward("init", {.initialiser = "lecun_" + law, .seed = seed}, {}, {lecun});
  block.forward("init", {.initialiser = "glorot_" + law, .seed = seed}, {}, {glorot});
  // One stream, two rules: entries differ by the ratio of the standard deviations alone.
  const auto in = static_cast<double>(n_in);
  const auto out = static_cast<double>(n_out);
  const double ratio = std::sqrt(2 * in / (in + out));
  for (std::int64_t i = 0; i < n_in; ++i) {
    for (std::int64_t j = 0; j < n_out; ++j) {
      // A variance, its root, a bound and a product for each entry, and the ratio's own three.
      const double expected = ratio * element(lecun, i, j);
      block.close("ratio", element(glorot, i, j), expected, std::abs(expected), 16);
    }
  }
  const InitSettings fans{.fan_in = in, .fan_out = out};
  const auto exact = [&](const std::string& rule, double product) {
    // Two correctly rounded operations.
    block.close("variance", entry_variance(initialiser(rule + law), fans) * product, 1, 1, 2, rule,
                Dtype::f64);
  };
  exact("lecun_", in);
  exact("glorot_", (in + out) / 2);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Variance 1/n_in is LeCun's initialisation; Glorot's (Xavier's) is "
          "2/(n_in + n_out), and the two agree only for square layers",
      .latex = R"(\sigma^2_{\text{LeCun}}=\frac1{n_{in}},\qquad
\sigma^2_{\text{Glorot}}=\frac{2}{n_{in}+n_{out}})",
      .source = "section “A more refined version”",
      .derivation =
          "LeCun et al. (1998) asked for unit variance forwards. Glorot and Bengio (2010) "
          "asked for both directions, n_in σ² = 1 and n_out σ² = 1, and took the mean of "
          "the two fans: the backward pass was in it from the start.",
      .erratum =
          Erratum{.says = "“Xavier considered only the forward pass”, σ² = 1/n_in, and "
                          "2/(n_in + n_out) is its refinement",
                  .holds =
                      "1/n_in is LeCun's (1998); 2/(n_in + n_out) is what Glorot and Bengio "
                      "published in 2010, from both passes; the ratio is 2n_in/(n_in + n_out)"},
      .method = "I: entry by entry on one stream; the rules' exact variances",
      .domain = Domain()
                    .integer("n_in", 1, 64)
                    .integer("n_out", 1, 64)
                    .choice("law", {"normal", "uniform"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"init"}},
      .checks = {{.name = "ratio", .law = stats::bound()},
                 {.name = "variance", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.silent_default", "init.fans_swapped"},
  };
}

}  // namespace rootdk::claims::init::naming
