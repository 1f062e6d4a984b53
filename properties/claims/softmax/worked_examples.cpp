#include <rootdk/properties/claim.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::softmax::worked_examples {
namespace {

struct Example {
  std::array<double, 3> logits;
  std::array<double, 3> stated;  ///< the corrected statement, to the digits given
  std::array<double, 3> half_digit;
};
constexpr std::array kExamples{
    Example{{1.2, 2.1, 0.5}, {0.252769, 0.621710, 0.125521}, {5e-7, 5e-7, 5e-7}},
    Example{{2.1, 18.5, 1.3}, {7.5e-8, 1.000, 3.4e-8}, {5e-10, 5e-4, 5e-10}}};

void sample(Block& block) {
  const Example& example = kExamples.at(static_cast<std::size_t>(block.integer("example") - 1));
  const Tensor z = block.row(example.logits);
  const Tensor p = block.matrix(1, 3);
  block.forward("softmax", {}, {z}, {p});
  std::array<long double, 3> e{};
  long double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    e[j] = std::exp(static_cast<long double>(element(z, 0, static_cast<std::int64_t>(j))));
    sum += e[j];
  }
  for (std::size_t j = 0; j < 3; ++j) {
    const double seen = element(p, 0, static_cast<std::int64_t>(j));
    const auto exact = static_cast<double>(e[j] / sum);
    // (m + 4) u, and 2 u of each |z − max z| ≤ 17.2 for the subtraction.
    block.close("value", seen, exact, exact, 7 + 2 * 17.2);
    // Logits in float are rounded by u (|z| + |max z|), below the last digit by far.
    const double slack = 64 * unit_roundoff(z.dtype) * exact;
    block.holds("digits", std::abs(seen - example.stated[j]) <= example.half_digit[j] + slack);
  }
  // What the source prints is not this rounded to its two digits.
  if (block.integer("example") == 1) {
    block.holds("not 0.60", std::abs(element(p, 0, 1) - 0.60) > 0.005);
    block.holds("not 0.60", std::abs(element(p, 0, 2) - 0.15) > 0.005);
  }
  block.holds("not 0.60", true);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "softmax([1.2, 2.1, 0.5]) = [0.252769, 0.621710, 0.125521] and "
          "softmax([2.1, 18.5, 1.3]) = [7.5e-8, 1.000, 3.4e-8]",
      .latex = R"(\operatorname{softmax}(1.2,\,2.1,\,0.5) = (0.252769,\,0.621710,\,0.125521))",
      .source = "section “What do these values become in softmax?”",
      .derivation =
          "e^{1.2} = 3.3201, e^{2.1} = 8.1662, e^{0.5} = 1.6487, and their sum is 13.135.",
      .erratum = Erratum{"softmax([1.2, 2.1, 0.5]) = [0.25, 0.60, 0.15]",
                         "[0.252769, 0.621710, 0.125521], to two digits [0.25, 0.62, 0.13]"},
      .method = "I: against exponentials in extended precision, within (m + 4) u + 2 u |z − max z|",
      .domain = Domain().integer("example", 1, 2).choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}},
      .checks = {{.name = "value", .law = stats::bound()},
                 {.name = "digits", .law = stats::bound()},
                 {.name = "not 0.60", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.exponent_base"},
  };
}

}  // namespace rootdk::claims::softmax::worked_examples
