#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>
#include <rootdk/stats/moments.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace rootdk::claims::init::he::not_the_variance {
namespace {

constexpr std::array kKink{0.0};

// relu of a standard normal: mean 1/√(2π), and the moments that the test of a mean needs.
const stats::Cumulants& relu_moments() {
  static const auto moments =
      stats::normal_cumulants([](double z) { return std::max(z, 0.0); }, kKink);
  return moments;
}

/// Var relu(z) = ½ − 1/(2π) of Var z: by quadrature and by the closed form.
void constants(Block& block) {
  const auto relu = [](double z) { return std::max(z, 0.0); };
  const stats::Integral mean = stats::normal_expectation(relu, kKink);
  const stats::Integral square =
      stats::normal_expectation([&](double z) { return relu(z) * relu(z); }, kKink);
  const double seen = 2 * (square.value - mean.value * mean.value);
  // Each integral carries its own error bound; the sums after it add a few roundings.
  const double tolerance = 2 * (square.error + 2 * mean.error) / unit_roundoff(Dtype::f64) + 8;
  block.close("variance", seen, 1 - 1 / std::numbers::pi, 1, tolerance, "2 Var relu(z)",
              Dtype::f64);
  block.digits("variance", seen, 0.681690, 5e-7, "six digits");
}

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto width = block.integer("width");
  const Tensor x = block.normal("x", 1, n_in);
  multiply(x, std::sqrt(static_cast<double>(n_in) / squared_norm(block.values(x))));
  const Tensor w = block.matrix(n_in, width);
  block.forward("init", {.initialiser = "he_normal", .seed = block.seed("W")}, {}, {w});
  const Tensor z = block.matrix(1, width);
  const Tensor y = block.matrix(1, width);
  block.forward("linear", {}, {x, w}, {z});
  block.forward("relu", {}, {z}, {y});
  // E x² = 1, so that the pre-activations are independent N(0, 2) whatever x is.
  block.chi_squared("pre-activation", stats::sum_of_squares(stats::Independent{block.values(z)},
                                                            std::numbers::sqrt2));
  std::vector<double> means;
  for (const double value : block.values(y)) {
    means.push_back((value / std::numbers::sqrt2 - relu_moments().mean) / relu_moments().sd);
  }
  block.standardised("mean", stats::Independent{means});
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "He's initialisation keeps the second moment of the activations and the variance "
          "of the pre-activations; the variance of the activations themselves falls to "
          "1 − 1/π = 0.681690, since ReLU leaves a mean of 1/√π",
      .latex = R"(\mathbb E\,y^2 = 1,\quad \mathbb E\,y = 1/\sqrt\pi,\quad
\operatorname{Var}(y) = 1-1/\pi = 0.681690)",
      .source = "section “A more refined version”",
      .premise = "y = relu(xW), W normal of variance 2/n_in, mean of x² equal to 1",
      .derivation =
          "z = xW is N(0, 2), so E relu(z)² = 1 and E relu(z) = √2/√(2π) = 1/√π. Second "
          "moment and variance differ by the square of that mean. The next layer only sees "
          "the second moment, because its weights have mean 0.",
      .erratum =
          Erratum{.says = "“the core idea is the same: make the output variance ≈ the input "
                          "variance”, for He and ReLU too",
                  .holds = "what He keeps is the second moment of activations (1) and the "
                           "variance of pre-activations; the variance of activations becomes "
                           "0.681690"},
      .method = "L: Σz²/2 ~ χ²; M: mean of relu(z); Q: ½ − 1/(2π)",
      .domain = Domain().integer("n_in", 1, 8).integer("width", 64, 512),
      .needs = {{"init"}, {"linear"}, {"relu"}},
      .checks = {{.name = "pre-activation", .law = stats::scale(), .expected = constant(2)},
                 {.name = "mean",
                  .law = relu_moments().law(),
                  .expected = constant(std::numbers::inv_sqrtpi),
                  .unit = constant(std::numbers::sqrt2 * relu_moments().sd)},
                 {.name = "variance", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.he_is_lecun", "init.linear_default"},
  };
}

}  // namespace rootdk::claims::init::he::not_the_variance
