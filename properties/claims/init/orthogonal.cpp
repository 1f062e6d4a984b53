#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/distributions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace rootdk::claims::init::orthogonal {
namespace {

constexpr std::int64_t kSquares = 64;

/// WᵀW, or WWᵀ if n_in < n_out, against g²I.
void gram(Block& block, double gain) {
  const auto rows = block.integer("n_in");
  const auto cols = block.integer("n_out");
  const Tensor w = block.matrix(rows, cols);
  block.forward("init", {.initialiser = "orthogonal", .gain = gain, .seed = block.seed("W")}, {},
                {w});
  const std::span<const double> v = block.values(w);
  const bool tall = rows >= cols;
  const std::int64_t thin = std::min(rows, cols);
  const std::int64_t length = std::max(rows, cols);
  // Q is a product of `thin` reflectors, each applied with an error of at most (length + 8) u of a
  // unit column (Higham, Accuracy and Stability, 19.3), and each entry of W is rounded once: twice
  // the sum in a product of two columns, and the product's own `length` roundings in double.
  const double steps = static_cast<double>(thin * (length + 8));
  const double narrow = block.dtype() == Dtype::f64 ? 2 * steps : 1;
  const double tolerance = narrow + 4 + static_cast<double>(length);
  for (std::int64_t i = 0; i < thin; ++i) {
    for (std::int64_t j = i; j < thin; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < length; ++k) {
        sum += tall ? v[static_cast<std::size_t>(k * cols + i)] *
                          v[static_cast<std::size_t>(k * cols + j)]
                    : v[static_cast<std::size_t>(i * cols + k)] *
                          v[static_cast<std::size_t>(j * cols + k)];
      }
      block.close("gram", sum, i == j ? gain * gain : 0, gain * gain, tolerance);
    }
  }
}

/// Square draws: the first entry and the trace, once a matrix.
void haar(Block& block, double gain) {
  const auto n = block.integer("n");
  Stream seeds = block.stream("squares");
  const Tensor w = block.matrix(n, n);
  std::vector<double> traces;
  std::vector<double> squares;
  std::vector<double> entries;
  double positive = 0;
  for (std::int64_t i = 0; i < kSquares; ++i) {
    block.forward("init", {.initialiser = "orthogonal", .gain = gain, .seed = seeds()}, {}, {w});
    double trace = 0;
    for (std::int64_t k = 0; k < n; ++k) trace += element(w, k, k) / gain;
    const double first = element(w, 0, 0) / gain;
    positive += first > 0 ? 1 : 0;
    traces.push_back(trace);
    squares.push_back((trace * trace - 1) / std::sqrt(2.0));
    entries.push_back(
        stats::beta_lower(0.5, static_cast<double>(n - 1) / 2, std::min(1.0, first * first)));
  }
  block.count("sign", kSquares, positive);
  block.standardised("trace", stats::Independent{traces});
  block.standardised("trace squared", stats::Independent{squares});
  block.uniforms("entry", stats::Independent{entries});
}

void sample(Block& block) {
  if (block.first()) gram(block, block.real("gain"));
  haar(block, block.real("gain"));
}

}  // namespace

Claims claim() {
  // E t² = 1 and E t⁴ = 3 for n ≥ 2; E t⁶ lies in [10, 15] and E t⁸ below 105, the moments of a
  // normal law, since E t^2m counts the pairings of 2m points without a decreasing sequence longer
  // than n (Rains 1998). So t² has a skewness of at most √8 and an excess of at most (105 − 40 +
  // 15)/4 − 3.
  const stats::Law square = stats::moment(std::sqrt(8.0), 17);
  return Claim{
      .statement =
          "An orthogonal initialiser gives W with WᵀW = g²I (WWᵀ if n_in < n_out), and W/g "
          "is uniformly distributed over such matrices",
      .latex = R"(W^\top W = g^2 I,\quad W_{00}^2/g^2\sim\mathrm{Beta}(\tfrac12,\tfrac{n-1}2),\quad
\mathbb E\operatorname{tr}(W/g)=0,\ \operatorname{Var}\operatorname{tr}(W/g)=1)",
      .source = "section “Forward numerical stability”: the scale kept exactly, not on average",
      .premise = "uniform means Haar's law; n ≥ 2 for the trace",
      .derivation =
          "The Q of a Gaussian matrix inherits its rotation invariance only when R has a "
          "positive diagonal, which makes the factorisation unique; Householder's R has "
          "not, and its raw Q has a first entry of fixed sign. A column of Q is uniform on "
          "the sphere, which gives the Beta law.",
      .method =
          "I: Gram matrix within Householder's bound; L: [W₀₀ > 0] ~ Bin(1, ½); D: Beta law; "
          "M: trace and its square",
      .domain = Domain()
                    .integer("n_in", 1, 40)
                    .integer("n_out", 1, 40)
                    .integer("n", 2, 6)
                    .real("gain", 0.25, 4, 0.0625)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"init"}},
      // A decomposition a value: effects of a quarter of a standard deviation.
      .checks = {{.name = "gram", .law = stats::bound()},
                 {.name = "sign", .law = stats::proportion(0.5), .delta_factor = 5},
                 {.name = "entry", .law = stats::shape(), .delta_factor = 3},
                 {.name = "trace",
                  .law = stats::moment(0, 0),
                  .expected = constant(0),
                  .delta_factor = 5},
                 {.name = "trace squared",
                  .law = square,
                  .unit = constant(std::sqrt(2.0)),
                  .delta_factor = 5}},
      .sample = sample,
      .defects = {"init.orthogonal_signs", "init.silent_default"},
  };
}

}  // namespace rootdk::claims::init::orthogonal
