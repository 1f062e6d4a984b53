#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/enumerate.hpp>
#include <rootdk/properties/mean_field.hpp>

#include <cmath>
#include <vector>

namespace rootdk::claims::init::he::relu {
namespace {

/// z = Σ ±x_i over all sign patterns is symmetric, whatever the x_i: half of E z² is on each side.
void exhaust(Block& block, std::span<const double> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t patterns = std::int64_t{1} << n;
  const Tensor z = block.matrix(1, patterns, Dtype::f64);
  std::int64_t place = 0;
  for_each_signs(n, [&](std::span<const double> signs) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += signs[i] * x[i];
    set_element(z, 0, place++, sum);
  });
  const Tensor y = block.matrix(1, patterns, Dtype::f64);
  block.forward("relu", {}, {z}, {y});
  const double half = squared_norm(x) / 2;
  const double seen = squared_norm(block.values(y)) / static_cast<double>(patterns);
  // z has n roundings of at most Σ|x| ≤ √n ‖x‖, squared twice that; the sum one a pattern, at most.
  const double count = static_cast<double>(n);
  block.close("symmetric", seen, half, half,
              4 * count * std::sqrt(count) + static_cast<double>(patterns), "all signs",
              Dtype::f64);
}

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto n_out = block.integer("n_out");
  const Tensor x = block.normal("x", 1, n_in);
  const Tensor w = block.matrix(n_in, n_out);
  block.forward("init", {.initialiser = "he_normal", .seed = block.seed("W")}, {}, {w});
  const Tensor z = block.matrix(1, n_out);
  const Tensor y = block.matrix(1, n_out);
  block.forward("linear", {}, {x, w}, {z});
  block.forward("relu", {}, {z}, {y});
  // Given x, the pre-activations are independent N(0, σ²), σ² = 2‖x‖²/n_in.
  const double sigma = std::sqrt(2 * squared_norm(block.values(x)) / static_cast<double>(n_in));
  std::vector<double> positive;
  for (const double value : block.values(y)) {
    if (value > 0) positive.push_back(value);
  }
  const auto count = static_cast<double>(positive.size());
  block.count("positives", static_cast<double>(n_out), count);
  block.chi_squared("second moment", stats::sum_of_squares(stats::Independent{positive}, sigma));
  if (block.first()) exhaust(block, block.values(x));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "ReLU keeps half of the second moment of a symmetric z, and He's variance 2/n_in "
          "makes up for it: after x ↦ relu(xW) the second moment is that of x",
      .latex = R"(\mathbb E\,\mathrm{relu}(z)^2 = \tfrac12\operatorname{Var}(z),\qquad
n_{in}\cdot\tfrac{2}{n_{in}}\cdot\tfrac12 = 1)",
      .source = "section “A more refined version”",
      .premise = "entries of W independent, normal, mean 0; one row x per draw of W",
      .derivation =
          "z and −z have the same law and relu(z)² + relu(−z)² = z², so each has half of "
          "E z². Given how many of n_out outputs are positive, P ~ Bin(n_out, ½), their "
          "squares over σ² sum to χ²(P).",
      .method = "L: χ²(P) given P, P ~ Bin(n, ½); E: all sign patterns",
      .domain = Domain().integer("n_in", 1, 8).integer("n_out", 64, 512),
      .needs = {{"init"}, {"linear"}, {"relu"}},
      .checks = {{.name = "second moment", .law = stats::scale()},
                 {.name = "positives", .law = stats::proportion(0.5)},
                 {.name = "symmetric", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.he_is_lecun", "init.linear_default"},
  };
}

}  // namespace rootdk::claims::init::he::relu
