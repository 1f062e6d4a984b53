#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::prenorm_backward {
namespace {

/// What one layer x ← x + rms(x) W adds to the gradient v on its way back, through the subject.
Tensor branch_gradient(Block& block, const Tensor& x, const Tensor& gamma, const Tensor& w,
                       const Tensor& normed, const Tensor& v) {
  const auto n = x.cols();
  const Tensor dnormed = block.matrix(1, n);
  const Tensor dw = block.matrix(n, n);
  const Tensor dx = block.matrix(1, n);
  const Tensor dgamma = block.matrix(1, n);
  block.backward("linear", {}, {normed, w, v}, {dnormed, dw});
  block.backward("rms_norm", {.epsilon = 0}, {x, gamma, dnormed}, {dx, dgamma});
  return dx;
}

/// E Π (1 + c/ms_l)/(L + 1) − 1, c = 1 − 1/n, to second order in the fluctuations of ms_l about
/// 1 + l, of which Cov(ms_k, ms_l) = Var(ms_min) = Σ_{i<min} (4(1 + i) + 2)/n. It is −½/n for one layer
/// and at most about .2 L/n for many.
double first_order_bias(double n, std::int64_t layers) {
  const double c = 1 - 1 / n;
  std::vector<double> slope, variance;
  double mean_product = 1, curvature = 0;
  for (std::int64_t l = 0; l < layers; ++l) {
    const double m = 1 + static_cast<double>(l);
    variance.push_back(l == 0 ? 0 : variance.back() + (4 * (m - 1) + 2) / n);
    slope.push_back(-c / (m * (m + c)));
    mean_product *= 1 + c / m;
    curvature += c * (2 * m + c) / std::pow(m * (m + c), 2) * variance.back();
  }
  for (std::size_t k = 0; k < slope.size(); ++k) {
    for (std::size_t l = 0; l < slope.size(); ++l) {
      curvature += slope[k] * slope[l] * variance[std::min(k, l)];
    }
  }
  return mean_product * (1 + curvature / 2) / static_cast<double>(layers + 1) - 1;
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto layers = block.integer("L");
  const double width = static_cast<double>(n);
  const Tensor gamma = block.matrix(1, n);
  fill(gamma, 1);
  struct Layer {
    Tensor x, w, normed;
  };
  std::vector<Layer> stack;
  Tensor x = unit_rms_rows(block, block.normal("x", 1, n));
  for (std::int64_t l = 0; l < layers; ++l) {
    const Tensor w = block.normal(fmt::format("W {}", l), n, n, 1 / std::sqrt(width));
    const Tensor normed = block.matrix(1, n);
    const Tensor next = block.matrix(1, n);
    block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {normed});
    block.forward("linear", {}, {normed, w}, {next});
    add_scaled(next, 1, x);
    stack.push_back({x, w, normed});
    x = next;
  }
  const Tensor v = block.normal("cotangent", 1, n);
  std::vector<double> along;
  for (auto layer = stack.rbegin(); layer != stack.rend(); ++layer) {
    const Tensor b = branch_gradient(block, layer->x, gamma, layer->w, layer->normed, v);
    const auto row = block.values(layer->x);
    const auto cotangent = block.values(v);
    const auto added = block.values(b);
    double xx = 0, vv = 0, vx = 0, vb = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      xx += row[j] * row[j];
      vv += cotangent[j] * cotangent[j];
      vx += cotangent[j] * row[j];
      vb += cotangent[j] * added[j];
    }
    // b ~ N(0, s² (I − x̂x̂ᵀ/n)), s² = ‖v‖²/(n ms), n − 1 of n directions.
    const double s = std::sqrt(vv / xx);
    block.chi_squared("increment", stats::orthogonal_part(added, row, s));
    along.push_back(vb / (s * std::sqrt(vv - vx * vx / xx)));
    add_scaled(v, 1, b);
  }
  block.standardised("along", stats::Independent{along});
  const double margin = static_cast<double>(layers + 2) / (4 * width);
  block.error("growth", std::abs(first_order_bias(width, layers)), margin);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "The whole gradient of L pre-norm layers grows: E‖J‖²/n = L + 1 as n → ∞, with a "
          "relative error of at most (L + 2)/4n at width n; it does not decay, and does not stay "
          "at 1 either",
      .latex = R"(\|J\|_F^2/n \to L + 1)",
      .source =
          "section “Gradient stability in the backward pass”: pre-norm, “the gradient flows "
          "through any number of layers without decay”",
      .premise = "x ← x + rms(x)W, Gaussian W of variance 1/n, x_0 of RMS 1, ε = 0",
      .derivation =
          "A norm's gradient is orthogonal to its input, and what is left of W is "
          "independent of the forward pass, so a branch adds N(0, ‖v‖²/(n ms) P) to the "
          "gradient v, P of rank n − 1. With ms = 1 + l the squared length is multiplied "
          "by (l + 2)/(l + 1) in layer l, in all by L + 1.",
      .method =
          "L: what each layer adds ~ χ²(n − 1), its part along the gradient ~ N(0, 1); Q: the "
          "product of the gains to second order in 1/√n",
      .domain = Domain().integer("n", 24, 72).integer("L", 1, 12),
      .needs = {{"rms_norm"}, {"rms_norm", Pass::backward}, {"linear"}, {"linear", Pass::backward}},
      // A wrong branch gain is a factor; its part along the gradient has one value for n of the other.
      .checks =
          {{.name = "increment", .law = stats::scale(), .delta_factor = 2},
           {.name = "along", .law = stats::location(), .expected = constant(0), .delta_factor = 10},
           {.name = "growth", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.length_one"},
  };
}

}  // namespace rootdk::claims::depth::prenorm_backward
