#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rootdk::claims::softmax::entropy {
namespace {

double entropy_of(const Tensor& p) {
  double sum = 0;
  for (std::int64_t j = 0; j < p.cols(); ++j) {
    const double value = element(p, 0, j);
    if (value > 0) sum -= value * std::log(value);
  }
  return sum;
}

Tensor probabilities(Block& block, const Tensor& z, double beta) {
  const Tensor scaled = block.matrix(1, z.cols());
  multiply(scaled, 0);
  for (std::int64_t j = 0; j < z.cols(); ++j) set_element(scaled, 0, j, beta * element(z, 0, j));
  const Tensor p = block.matrix(1, z.cols());
  block.forward("softmax", {}, {scaled}, {p});
  return p;
}

/// Logits on a grid, the largest of them `ties` times.
Tensor logits(Block& block, std::int64_t m, std::int64_t ties) {
  const Tensor z = block.normal("z", 1, m, 2);
  double top = 0;
  for (std::int64_t j = 0; j < m; ++j) {
    set_element(z, 0, j, std::round(8 * element(z, 0, j)) / 8);
    top = std::max(top, element(z, 0, j));
  }
  for (std::int64_t j = 0; j < m; ++j) {
    const double value = std::min(element(z, 0, j), top);
    set_element(z, 0, j, j < ties ? top + 0.125 : value);
  }
  return z;
}

/// dH/dβ by the subject's backward pass: the cotangent of H on p is −(ln p + 1), and dβ = ⟨dz, z⟩.
void slope(Block& block, const Tensor& z, double beta) {
  const std::int64_t m = z.cols();
  const Tensor p = probabilities(block, z, beta);
  const Tensor scaled = block.matrix(1, m);
  const Tensor dp = block.matrix(1, m);
  const Tensor dz = block.matrix(1, m);
  double mean = 0;
  double logs = 0;
  double largest = 0;
  for (std::int64_t j = 0; j < m; ++j) {
    const double value = element(p, 0, j);
    set_element(scaled, 0, j, beta * element(z, 0, j));
    set_element(dp, 0, j, -(std::log(value) + 1));
    mean += value * element(z, 0, j);
    logs += value * std::abs(std::log(value));
    largest = std::max(largest, std::abs(element(z, 0, j)));
  }
  block.backward("softmax", {}, {scaled, dp}, {dz});
  const double log_top = -std::log(element(p, 0, 0));
  double seen = 0;
  double variance = 0;
  double scale = 0;
  for (std::int64_t j = 0; j < m; ++j) {
    const double value = element(p, 0, j);
    const double centred = element(z, 0, j) - mean;
    seen += element(dz, 0, j) * element(z, 0, j);
    variance += value * centred * centred;
    scale +=
        value * std::abs(element(z, 0, j)) * (std::abs(std::log(value)) + logs + 2 * log_top + 4);
  }
  // Every term of dz is p_j times differences of logarithms, each rounded at its own size; the
  // relative errors of p, (m + 4 + 2β max |z|) u, enter through p and its logarithm, in the
  // subject's p and in the one that is seen here. Each counts at most four times.
  const double tolerance = 4 * (static_cast<double>(m) + 8 + 2 * beta * largest);
  block.close("slope", seen, -beta * variance, scale, tolerance);
  block.holds("falls", seen <= tolerance * unit_roundoff(z.dtype) * scale);
}

void sample(Block& block) {
  const auto m = block.integer("m");
  const std::int64_t ties = std::min(block.integer("ties"), m);
  const Tensor z = logits(block, m, ties);
  slope(block, z, block.real("beta"));
  const auto width = static_cast<double>(m);
  // Entries with an error of (m + 4) u, and a sum of m terms −p ln p.
  const double tolerance = 2 * (width + 4);
  const double most = std::log(width);
  block.close("at 0", entropy_of(probabilities(block, z, 0)), most, most + 1, tolerance);
  // The largest logits lead by 1/8: at β = 8192 the others are exp(−1024), 0 in double.
  const double cold = entropy_of(probabilities(block, z, 8192));
  block.close("at infinity", cold, std::log(static_cast<double>(ties)), most + 1, tolerance);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Sharper logits have less entropy: dH/dβ of softmax(βz) is −β Var_p(z), from ln n at "
          "β = 0 to the logarithm of the number of largest logits",
      .latex =
          R"(\frac{d}{d\beta} H(\operatorname{softmax}(\beta z)) = -\beta\operatorname{Var}_p(z))",
      .source = "section “What do these values become in softmax?”",
      .derivation =
          "ln p_j = βz_j − ln Σe^{βz}, so H = ln Σe^{βz} − β E_p z; its derivative is "
          "E_p z − E_p z − β dE_p z/dβ, and dE_p z/dβ is the variance of z under p.",
      .method = "I: by the backward pass of softmax; the limits at β = 0 and 8192",
      .domain = Domain().integer("m", 1, 48).integer("ties", 1, 5).real("beta", 0.125, 4, 0.125),
      .needs = {{"softmax"}, {"softmax", Pass::backward}},
      .checks = {{.name = "slope", .law = stats::bound()},
                 {.name = "falls", .law = stats::bound()},
                 {.name = "at 0", .law = stats::bound()},
                 {.name = "at infinity", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_row_sum_lost"},
  };
}

}  // namespace rootdk::claims::softmax::entropy
