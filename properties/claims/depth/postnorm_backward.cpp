#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::postnorm_backward {
namespace {

struct Layer {
  Tensor x, w, sum;  ///< sum = x + xW, x of the next layer is rms(sum)
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

std::vector<Layer> forward(Block& block, const Tensor& gamma) {
  const auto n = gamma.cols();
  std::vector<Layer> stack;
  Tensor x = unit_rms_rows(block, block.normal("x", 1, n));
  for (std::int64_t l = 0; l < block.integer("L"); ++l) {
    const Tensor w =
        block.normal(fmt::format("W {}", l), n, n, 1 / std::sqrt(static_cast<double>(n)));
    const Tensor sum = block.matrix(1, n);
    const Tensor next = block.matrix(1, n);
    block.forward("linear", {}, {x, w}, {sum});
    add_scaled(sum, 1, x);
    block.forward("rms_norm", {.epsilon = 0}, {sum, gamma}, {next});
    stack.push_back({x, w, sum});
    x = next;
  }
  return stack;
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const double width = static_cast<double>(n);
  const Tensor gamma = block.matrix(1, n);
  fill(gamma, 1);
  const std::vector<Layer> stack = forward(block, gamma);
  Tensor v = block.normal("cotangent", 1, n);
  std::vector<double> steps;
  for (auto layer = stack.rbegin(); layer != stack.rend(); ++layer) {
    const Tensor u = block.matrix(1, n);
    const Tensor dgamma = block.matrix(1, n);
    const Tensor added = block.matrix(1, n);
    const Tensor dw = block.matrix(n, n);
    block.backward("rms_norm", {.epsilon = 0}, {layer->sum, gamma, v}, {u, dgamma});
    block.backward("linear", {}, {layer->x, layer->w, u}, {added, dw});
    const auto cotangent = block.values(v);
    const auto sum = block.values(layer->sum);
    const auto before = block.values(u);
    const auto x = block.values(layer->x);
    const auto b = block.values(added);
    // ‖u‖² = (‖v‖² − ⟨v, s⟩²/‖s‖²)/ms(s): the norm of dx of norm.gradient at ε = 0.
    const double ms = dot(sum, sum) / width;
    const double vv = dot(cotangent, cotangent);
    const double vs = dot(cotangent, sum);
    // An entry of u is right to 2.5 n + 25 roundings of (|v_j| + |ŝ_j| mean|v ŝ|)/RMS, whose squares
    // add up to at most 4 ‖v‖²/ms; the long way round here costs n more.
    block.close("norm", dot(before, before), (vv - vs * vs / dot(sum, sum)) / ms, 4 * vv / ms,
                2 * (2.5 * width + 25) + width);
    // Given the forward pass W is free but for xᵀW; the free part gives N(0, ‖u‖²/n) in n − 1
    // directions.
    block.chi_squared("increment",
                      stats::orthogonal_part(b, x, std::sqrt(dot(before, before) / width)));
    steps.push_back(ms);
    const Tensor next = block.matrix(1, n);
    copy(next, u);
    add_scaled(next, 1, added);
    v = next;
  }
  // n ms is noncentral χ²(n) of parameter n: mean 2n, variance 6n.
  for (double& ms : steps) ms = (ms - 2) / std::sqrt(6 / width);
  block.standardised("mean_square", stats::Independent{steps});
  // Mean gain of a layer: E[1/ms] (1 − ½/n + (n − 1)/n) with E[1/ms] = ½ (1 + (6/4)/n) to first
  // order in 1/n, where ½/n is the part of x's own direction in u.
  const auto layers = static_cast<double>(block.integer("L"));
  const double gain = 0.5 * (1 + 1.5 / width) * (2 - 1.5 / width);
  block.error("whole", std::abs(layers * std::log(gain) + std::log1p(-1 / width)), layers / width);
}

stats::Law mean_square_law(const Configuration& at) {
  // Cumulants 2^(k−1) (k−1)! n (1 + k) of noncentral χ²(n) of parameter n.
  const auto n = static_cast<double>(at.integer("n"));
  return stats::moment(8 * 4 * n / std::pow(6 * n, 1.5), 48 * 5 * n / std::pow(6 * n, 2));
}

}  // namespace

Claims claim() {
  Configuration skewest;  // of the domain: what the pooled test is planned for
  skewest.set("n", std::int64_t{24});
  return Claim{
      .statement =
          "The whole gradient of post-norm layers keeps its size, a factor between "
          "e^(−L/n) and e^(L/n): of what the norm takes away, half, the branch gives half "
          "back; only the direct path decays",
      .latex = R"(\mathbb E\|J\|_F^2/n = e^{O(L/n)})",
      .source = "section “Gradient stability in the backward pass”: pre-norm instead of post-norm",
      .premise = "x ← rms(x + xW), Gaussian W of variance 1/n, ε = 0",
      .derivation =
          "The sum x + xW has mean square 2, so that the norm halves the squared gradient, "
          "and the layer's 1 + 1 doubles it: the branch carries as much as the direct "
          "path. Fluctuations of the mean square and the direction of x that the gradient "
          "loses shift the mean by .75/n a layer.",
      .method =
          "L: what a branch adds ~ χ²(n − 1); M: mean square of the sum, a noncentral χ²; I: "
          "length behind the norm; Q: the mean gain to first order",
      .domain = Domain().integer("n", 24, 72).integer("L", 1, 12),
      .needs = {{"rms_norm"}, {"rms_norm", Pass::backward}, {"linear"}, {"linear", Pass::backward}},
      // A wrong gain is a factor; one mean square stands for n added values.
      .checks = {{.name = "increment", .law = stats::scale(), .delta_factor = 2},
                 {.name = "mean_square",
                  .law = mean_square_law(skewest),
                  .expected = constant(2),
                  .unit =
                      [](const Configuration& at) {
                        return std::sqrt(6 / static_cast<double>(at.integer("n")));
                      },
                  .delta_factor = 10,
                  .law_at = mean_square_law},
                 {.name = "norm", .law = stats::bound()},
                 {.name = "whole", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.detached_statistic", "numbers.length_one", "numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::postnorm_backward
