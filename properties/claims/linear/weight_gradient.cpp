#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/measure.hpp>
#include <rootdk/stats/moments.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rootdk::claims::linear::weight_gradient {
namespace {

/// ln(‖dW_l‖²/(‖x‖²‖dy_L‖²)): L − 1 independent ln(g χ²(n)/n), l − 1 of them forward from x and
/// L − l backward from dy_L.
stats::Cumulants log_norm(const Configuration& at) {
  const auto factors = static_cast<double>(at.integer("layers") - 1);
  stats::Cumulants result =
      stats::log_chi_squared(static_cast<double>(at.integer("n")), factors);
  result.mean += factors * std::log(at.real("gain"));
  return result;
}

/// One backward pass of a layer: its input's and its weights' gradients.
struct Gradients {
  Tensor dx, dw;
};
Gradients backward(Block& block, const Tensor& x, const Tensor& w, const Tensor& dy) {
  const Gradients result{block.matrix(1, w.rows()), block.matrix(w.rows(), w.cols())};
  block.backward("linear", {}, {x, w, dy}, {result.dx, result.dw});
  return result;
}

/// Two layers of width 2 and weights ±1, g = 2: E‖dW_1‖² = E‖dW_2‖² = g‖x‖²‖dy‖², in integers.
/// dW_1 depends on W_2 alone and dW_2 on W_1 alone.
void exact_mean(Block& block) {
  const Tensor x = block.row(std::array{3.0, -5.0});
  const Tensor dy = block.row(std::array{2.0, 7.0});
  constexpr double expected = 16 * 2 * (9 + 25) * (4 + 49);  // over 16 patterns
  double first = 0;
  double second = 0;
  for_each_signs(4, [&](std::span<const double> signs) {
    const Tensor w = block.matrix(2, 2);
    for (std::int64_t e = 0; e < 4; ++e) {
      set_element(w, e / 2, e % 2, signs[static_cast<std::size_t>(e)]);
    }
    const Tensor dy1 = backward(block, x, w, dy).dx;
    first += squared_norm(block.values(backward(block, x, w, dy1).dw));
    const Tensor y1 = block.matrix(1, 2);
    block.forward("linear", {}, {x, w}, {y1});
    second += squared_norm(block.values(backward(block, y1, w, dy).dw));
  });
  block.holds("mean", first == expected && second == expected, "E‖dW‖² over all weights ±1");
}

/// Each entry is one product, so one rounding, and a sum with 0 has none.
void outer_product(Block& block, const Tensor& x, const Tensor& dy, const Tensor& dw) {
  for (std::int64_t i = 0; i < dw.rows(); ++i) {
    for (std::int64_t j = 0; j < dw.cols(); ++j) {
      const double expected = element(x, 0, i) * element(dy, 0, j);
      block.close("outer product", element(dw, i, j), expected, std::abs(expected), 2, "dW");
    }
  }
}

void sample(Block& block) {
  if (block.first()) exact_mean(block);
  const std::int64_t n = block.integer("n");
  const std::int64_t layers = block.integer("layers");
  const double sd = std::sqrt(block.real("gain") / static_cast<double>(n));
  const stats::Cumulants expected = log_norm(block.configuration());
  const Tensor weights = block.normal("W", {1, layers, n, n}, sd);
  std::vector<Tensor> y{block.draw("x", "uniform", 1, n)};
  for (std::int64_t l = 0; l < layers; ++l) {
    y.push_back(block.matrix(1, n));
    block.forward("linear", {}, {y[y.size() - 2], matrix(weights, 0, l)}, {y.back()});
  }
  Tensor dy = block.draw("dy", "uniform", 1, n);
  const double unit = squared_norm(block.values(y[0])) * squared_norm(block.values(dy));
  // In exact arithmetic ‖dW‖² = ‖y‖²‖dy‖²; each side sums at most n² squares of products.
  const double roundings = 2 * static_cast<double>(n * n) + 8;
  for (std::int64_t l = layers; l >= 1; --l) {
    const Tensor& input = y[static_cast<std::size_t>(l - 1)];
    const Gradients gradients = backward(block, input, matrix(weights, 0, l - 1), dy);
    if (block.first()) outer_product(block, input, dy, gradients.dw);
    const double norm = squared_norm(block.values(gradients.dw));
    const double product = squared_norm(block.values(input)) * squared_norm(block.values(dy));
    block.close("norm", norm, product, product, roundings, fmt::format("layer {}", l));
    if (l == block.integer("layer")) {
      const std::vector<double> value{(std::log(norm / unit) - expected.mean) / expected.sd};
      block.standardised("log norm", {value});
    }
    dy = gradients.dx;
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "For one row, the weight gradient of layer l has norm ‖y_{l−1}‖ ‖dy_l‖, and its mean "
          "square is the same for every layer",
      .latex = R"(\lVert dW_l\rVert_F = \lVert y_{l-1}\rVert\,\lVert dy_l\rVert,\qquad
\mathbb{E}\lVert dW_l\rVert_F^2 = g^{L-1}\lVert x\rVert^2\lVert dy_L\rVert^2)",
      .source = "section “A finer version”, whose gradients these are",
      .premise = "square Gaussian layers of gain g = nσw², one row",
      .derivation =
          "dW_l = y_{l−1}ᵀ dy_l has rank one. The input has passed l − 1 layers forward and the "
          "gradient L − l backward, each with gain g on average and independent: together "
          "L − 1, whatever l is. What vanishes forward is made up for backward.",
      .method =
          "I: each entry and the norm; M: the logarithm of ‖dW_l‖², cumulants by polygamma "
          "functions; E: the mean over all weights ±1",
      .domain = Domain()
                    .integer("n", 2, 10)
                    .integer("layers", 2, 5)
                    .integer("layer", 1, 5)
                    .real("gain", 0.25, 4, 0.25)
                    .valid("layer ≤ layers", at_most("layer", "layers")),
      .needs = {{"linear"}, {"linear", Pass::backward}},
      // The standard deviation of the logarithm is .4 to 2.7; a layer more or less is one ln g.
      .checks = {{.name = "outer product", .law = stats::bound()},
                 {.name = "norm", .law = stats::bound()},
                 {.name = "mean", .law = stats::bound()},
                 {.name = "log norm",
                  .law = stats::moment(0, 0),
                  .expected = [](const Configuration& at) { return log_norm(at).mean; },
                  .unit = [](const Configuration& at) { return log_norm(at).sd; },
                  .delta_factor = 5,
                  .law_at = [](const Configuration& at) { return log_norm(at).law(); }}},
      .sample = sample,
      .defects = {"numbers.linear_weight_gradient_row_missing", "numbers.linear_backward_root_fan"},
  };
}

}  // namespace rootdk::claims::linear::weight_gradient
