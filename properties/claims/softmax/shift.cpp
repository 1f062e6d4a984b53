#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::softmax::shift {
namespace {

/// Adding c rounds each logit by u (|z| + |c|), subtracting the largest again by twice that: a
/// relative error of p of 2·2 u (|z| + |c|), and of (m + 4) u in each of the two softmaxes.
double rounding(const Tensor& z, std::int64_t i, double c) {
  double largest = 0;
  for (std::int64_t j = 0; j < z.cols(); ++j) {
    largest = std::max(largest, std::abs(element(z, i, j)));
  }
  return 4 * (largest + std::abs(c)) + 2 * (static_cast<double>(z.cols()) + 4);
}

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto m = block.integer("m");
  const double c = block.real("c");
  // At a spread of 8 no probability is below exp(−100): none underflows, in float either.
  const Tensor z = block.normal("z", n, m, block.real("spread"));
  const Tensor moved = block.matrix(n, m);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) set_element(moved, i, j, element(z, i, j) + c);
  }
  const Tensor p = block.matrix(n, m);
  const Tensor shifted = block.matrix(n, m);
  block.forward("softmax", {}, {z}, {p});
  block.forward("softmax", {}, {moved}, {shifted});
  for (std::int64_t i = 0; i < n; ++i) {
    const double tolerance = rounding(z, i, c);
    for (std::int64_t j = 0; j < m; ++j) {
      const double value = element(p, i, j);
      const double scale = std::max(value, 0x1p-120);
      block.close("shift", element(shifted, i, j), value, scale, tolerance);
    }
  }
  // What counts is the spread: twice the logits is another distribution, p² over its sum.
  multiply(moved, 0);
  add_scaled(moved, 2, z);
  block.forward("softmax", {}, {moved}, {shifted});
  double squares = 0;
  for (std::int64_t j = 0; j < m; ++j) squares += element(p, 0, j) * element(p, 0, j);
  for (std::int64_t j = 0; j < m; ++j) {
    const double value = element(p, 0, j) * element(p, 0, j) / squares;
    if (value < 0x1p-120) {
      block.holds("spread", element(shifted, 0, j) <= 0x1p-120);
      continue;
    }
    // A square doubles the error of p, and so does the sum of squares.
    block.close("spread", element(shifted, 0, j), value, value, 6 * rounding(z, 0, 0));
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "A constant added to a row of logits changes nothing: softmax sees differences only",
      .latex = R"(\operatorname{softmax}(z + c) = \operatorname{softmax}(z))",
      .source = "section “What do these values become in softmax?”",
      .derivation =
          "e^{z+c} = e^c e^z, and e^c cancels between numerator and sum. In floating point "
          "z + c is rounded, which costs u(|z| + |c|) in each logit.",
      .erratum =
          Erratum{"Softmax is very sensitive to the absolute size of its inputs",
                  "It is sensitive to their spread: softmax(z + c) = softmax(z) for every c, "
                  "while softmax(2z) is another distribution"},
      .method = "I: relative error ≤ 4 u (max |z| + |c|) + 2 (m + 4) u",
      .domain = Domain()
                    .integer("n", 1, 5)
                    .integer("m", 2, 67)
                    .real("spread", 0.25, 8, 0.25)
                    .real("c", -4096, 4096, 0.125)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}},
      .checks = {{.name = "shift", .law = stats::bound()},
                 {.name = "spread", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_unshifted"},
  };
}

}  // namespace rootdk::claims::softmax::shift
