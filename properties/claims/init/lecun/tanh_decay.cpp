#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace rootdk::claims::init::lecun::tanh_decay {
namespace {

constexpr std::int64_t kWidth = 2048;
constexpr std::size_t kLayers = 101;
constexpr std::size_t kFar = 2000;

/// q_0 = 1, q_{l+1} = E tanh²(√q_l z), by quadrature.
const std::vector<double>& second_moments() {
  static const std::vector<double> q = [] {
    std::vector<double> result{1};
    while (result.size() <= kLayers) {
      result.push_back(activation_square("tanh", result.back()).mean);
    }
    return result;
  }();
  return q;
}

struct Far {
  double q = 1;
  double product = 1;  ///< Π E tanh′²
};

/// The same recursion to layer 2000 by the trapezoidal rule.
const Far& far_layer() {
  static const Far far = [] {
    Far at;
    for (std::size_t l = 0; l < kFar; ++l) {
      const double root = std::sqrt(at.q);
      at.product *= trapezoidal_expectation([&](double z) {
        const double s = textbook_slope("tanh", root * z);
        return s * s;
      });
      at.q = trapezoidal_expectation([&](double z) {
        const double y = std::tanh(root * z);
        return y * y;
      });
    }
    return at;
  }();
  return far;
}

void recursion(Block& block, std::size_t layer) {
  const double q = second_moments()[layer];
  const double next = second_moments()[layer + 1];
  const double root = std::sqrt(q);
  const double sum = trapezoidal_expectation([&](double z) {
    const double y = std::tanh(root * z);
    return y * y;
  });
  // Both rules sum some hundred terms of one sign, each good to a few u; 1e−13 is the quadrature's.
  block.close("recursion", next, sum, sum, 2000, "two rules", Dtype::f64);
  // x² − ⅔x⁴ ≤ tanh² x ≤ x² − ⅔x⁴ + (17/45)x⁶ and E x⁴ = 3q², E x⁶ = 15q³.
  block.holds("recursion", next >= q - 2 * q * q, "q′ ≥ q − 2q²");
  block.holds("recursion", next <= q - 2 * q * q + 17.0 / 3 * q * q * q, "q′ ≤ q − 2q² + 17q³/3");
  // Therefore |1/q′ − 1/q − 2| ≤ (17/3) q · q/q′: 1/q grows by 2 a layer, and q ~ 1/(2l).
  block.holds("recursion", std::abs(1 / next - 1 / q - 2) <= 17.0 / 3 * q * q / next,
              "1/q grows by 2");
  const double slope = slope_square("tanh", q).mean;
  // 1 − 2x² ≤ sech⁴x ≤ 1 − 2x² + (7/3)x⁴.
  block.holds("recursion", slope >= 1 - 2 * q && slope <= 1 - 2 * q + 7 * q * q, "E tanh′²");
}

void constants(Block& block) {
  const std::vector<double>& q = second_moments();
  block.digits("values", q[1], 0.394294, 5e-7, "layer 1");
  block.digits("values", q[2], 0.236450, 5e-7, "layer 2");
  block.digits("values", q[10], 0.0522001, 5e-8, "layer 10");
  block.digits("values", q[50], 0.0102193, 5e-8, "layer 50");
  block.digits("values", q[100], 0.00506902, 5e-9, "layer 100");
  // E tanh′²/(q′/q) = 1 + (4/3)q² + O(q³) and q ~ 1/(2l), so Π/q rises by 1 + 1/(3L) beyond L.
  const double far = kFar;
  const double limit = far_layer().product / far_layer().q * (1 + 1 / (3 * far)) / 2;
  block.digits("values", limit, 0.706, 5e-4, "l Π E tanh′²");
}

void sample(Block& block) {
  const auto layer = static_cast<std::size_t>(block.integer("layer"));
  const double q = second_moments()[layer];
  const Tensor z = pre_activations(block, block.integer("n_in"), kWidth, q);
  const Tensor y = block.matrix(1, kWidth);
  const Tensor one = block.matrix(1, kWidth);
  const Tensor slope = block.matrix(1, kWidth);
  block.forward("tanh", {}, {z}, {y});
  fill(one, 1);
  block.backward("tanh", {}, {z, one}, {slope});
  standardised_squares(block, "second moment", y, activation_square("tanh", q));
  standardised_squares(block, "backward", slope, slope_square("tanh", q));
  if (!block.first()) return;
  recursion(block, layer);
  constants(block);
}

}  // namespace

Claims claim() {
  const auto forward = [](const Configuration& at) {
    return activation_square("tanh",
                             second_moments()[static_cast<std::size_t>(at.integer("layer"))]);
  };
  const auto backward = [](const Configuration& at) {
    return slope_square("tanh", second_moments()[static_cast<std::size_t>(at.integer("layer"))]);
  };
  return Claim{
      .statement =
          "With weights of variance 1/n_in, tanh layers let the second moment fall like "
          "1/(2l) and the gradient's like 0.706/l: slowly, by a power of depth, but neither "
          "stays constant",
      .latex = R"(q_{l+1} = \mathbb E\tanh^2(\sqrt{q_l}\,z),\quad q_l \sim \frac{1}{2l},\quad
\prod_{k<l}\mathbb E\tanh'^2 \sim \frac{0.706}{l})",
      .source = "section “A more refined version”, summary: “suits sigmoid/tanh”",
      .premise = "width to infinity; at any width exact for one layer given its input",
      .derivation =
          "tanh² x = x² − ⅔x⁴ + …, so q′ = q − 2q² + O(q³): 1/q grows by 2 a layer. The "
          "slope's E tanh′² = 1 − 2q + O(q²) follows the same law, hence the same power.",
      .erratum =
          Erratum{.says = "σ² = 1/n_in “suits sigmoid/tanh”",
                  .holds = "for tanh the second moment is 0.394294 after one layer, 0.0522001 "
                           "after 10, 0.00506902 after 100: an algebraic decay, mild where "
                           "ReLU's is exponential, but not kept"},
      .method =
          "Q: two quadrature rules and series bounds; M: one layer of the subject at any depth",
      .domain = Domain().integer("layer", 0, 99).integer("n_in", 1, 6),
      .needs = {{"init"}, {"linear"}, {"tanh"}, {"tanh", Pass::backward}},
      .checks = {{.name = "second moment",
                  .law = stats::moment(0, 0),
                  .expected = [forward](const Configuration& at) { return forward(at).mean; },
                  .unit = [forward](const Configuration& at) { return forward(at).sd; },
                  .law_at = [forward](const Configuration& at) { return forward(at).law(); }},
                 {.name = "backward",
                  .law = stats::moment(0, 0),
                  .expected = [backward](const Configuration& at) { return backward(at).mean; },
                  .unit = [backward](const Configuration& at) { return backward(at).sd; },
                  .law_at = [backward](const Configuration& at) { return backward(at).law(); }},
                 {.name = "recursion", .law = stats::bound()},
                 {.name = "values", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.silent_default"},
  };
}

}  // namespace rootdk::claims::init::lecun::tanh_decay
