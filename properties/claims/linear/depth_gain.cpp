#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/moments.hpp>

#include <cmath>

namespace rootdk::claims::linear::depth_gain {
namespace {

constexpr std::int64_t kChains = 8;  // a block

/// ln(‖y_L‖²/‖x‖²) is a sum of L independent ln(g χ²(n)/n).
stats::Cumulants log_gain(const Configuration& at) {
  const auto layers = static_cast<double>(at.integer("layers"));
  stats::Cumulants result =
      stats::log_chi_squared(static_cast<double>(at.integer("n")), layers);
  result.mean += layers * std::log(at.real("gain"));
  return result;
}

/// Two layers of width 2 and weights ±1, g = 2, every pattern: E‖y_2‖² = g²‖x‖² in integers. The 16
/// matrices stand side by side, and the first layer's outputs are read again as 16 rows.
void exact_mean(Block& block) {
  const Tensor patterns = every_vector(block, 4, 1);
  const std::int64_t count = patterns.rows();
  const Tensor w = block.matrix(2, 2 * count);
  for (std::int64_t p = 0; p < count; ++p) {
    for (std::int64_t e = 0; e < 4; ++e) {
      set_element(w, e / 2, 2 * p + e % 2, element(patterns, p, e));
    }
  }
  const Tensor y1 = block.matrix(1, 2 * count);
  block.forward("linear", {}, {block.row(std::array{3.0, -5.0}), w}, {y1});
  const Tensor rows = block.matrix(count, 2);
  const auto seen = block.values(y1);
  for (std::int64_t p = 0; p < count; ++p) {
    for (std::int64_t j = 0; j < 2; ++j) {
      set_element(rows, p, j, seen[static_cast<std::size_t>(2 * p + j)]);
    }
  }
  const Tensor y2 = block.matrix(count, 2 * count);
  block.forward("linear", {}, {rows, w}, {y2});
  constexpr double expected = 2 * 2 * (9 + 25);
  block.holds("mean",
              squared_norm(block.values(y2)) == expected * static_cast<double>(count * count),
              "E‖y₂‖² over all weights ±1");
}

/// ψ(x) − ln x + 1/(2x) + 1/(12x²) lies between 0 and 1/(120x⁴) (DLMF 5.11.2: the error has the
/// sign of the next term and is smaller), so L(ψ(n/2) − ln(n/2)) = −L/n − L/(3n²) + less than
/// 2L/(15n⁴).
void typical_value(Block& block) {
  const auto n = static_cast<double>(block.integer("n"));
  const double rest = stats::digamma(n / 2) - std::log(n / 2) + 1 / n + 1 / (3 * n * n);
  block.holds("typical value", rest > 0 && rest < 2 / (15 * n * n * n * n), "ψ(n/2) − ln(n/2)");
}

void sample(Block& block) {
  if (block.first()) {
    exact_mean(block);
    typical_value(block);
  }
  const std::int64_t n = block.integer("n");
  const std::int64_t layers = block.integer("layers");
  const double sd = std::sqrt(block.real("gain") / static_cast<double>(n));
  const Tensor weights = block.normal("W", {kChains, layers, n, n}, sd);
  const Tensor inputs = block.draw("x", "two_point", kChains, n);
  const stats::Cumulants expected = log_gain(block.configuration());
  std::vector<double> values;
  for (std::int64_t chain = 0; chain < kChains; ++chain) {
    Tensor x = block.matrix(1, n);
    for (std::int64_t i = 0; i < n; ++i) set_element(x, 0, i, element(inputs, chain, i));
    const double start = squared_norm(block.values(x));
    for (std::int64_t l = 0; l < layers; ++l) {
      const Tensor y = block.matrix(1, n);
      block.forward("linear", {}, {x, matrix(weights, chain, l)}, {y});
      block.chi_squared("layer", stats::linear_output(block.values(y), block.values(x), sd));
      x = y;
    }
    const double gain = std::log(squared_norm(block.values(x)) / start);
    values.push_back((gain - expected.mean) / expected.sd);
  }
  block.standardised("log gain", {values});
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Through L square Gaussian layers of gain g the mean square grows by g^L, but its "
          "typical value by g^L e^(−L/n) only",
      .latex = R"(\mathbb{E}\lVert y_L\rVert^2 = g^L\lVert x\rVert^2,\qquad
\frac{\lVert y_l\rVert^2}{\lVert y_{l-1}\rVert^2} \sim \frac{g\,\chi^2_n}{n}\ \text{independent})",
      .source = "section “Why initialisation matters”, of which this is the law",
      .premise = "square layers, g = nσw², Gaussian weights",
      .derivation =
          "Given its input, a layer multiplies the squared length by g χ²(n)/n, whatever "
          "happened before: the factors are independent. The mean of the product is g^L; its "
          "logarithm has mean L(ln g + ψ(n/2) − ln(n/2)) ≈ L ln g − L/n, since the logarithm "
          "is concave. The mean is carried by few large draws.",
      .method =
          "L: each layer's Σ y²/(σw²‖x‖²) ~ χ²(n); M: the logarithm of the whole gain, cumulants "
          "by polygamma functions; E: the mean over all weights ±1",
      .domain = Domain().integer("n", 2, 12).integer("layers", 2, 8).real("gain", 0.25, 4, 0.25),
      .needs = {{"linear"}},
      // A typical value taken for the mean is off by √(L/2n) standard deviations of the logarithm,
      // .29 or more here: a coarser δ than the run's is ample, and a chain costs L n² draws.
      .checks = {{.name = "layer",
                  .law = stats::scale(),
                  .expected = [](const Configuration& at) { return at.real("gain"); }},
                 {.name = "log gain",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return log_gain(at).mean; },
                  .unit = [](const Configuration& at) { return log_gain(at).sd; },
                  .delta_factor = 5,
                  .law_at = [](const Configuration& at) { return log_gain(at).law(); }},
                 {.name = "mean", .law = stats::bound()},
                 {.name = "typical value", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.linear_root_fan", "numbers.linear_last_term_dropped"},
  };
}

}  // namespace rootdk::claims::linear::depth_gain
