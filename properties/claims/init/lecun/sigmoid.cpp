#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/mean_field.hpp>

#include <cmath>

namespace rootdk::claims::init::lecun::sigmoid {
namespace {

/// The fixed point of q ← E σ(√q z)²: a contraction by about 0.06 a step.
double fixed_point() {
  static const double q = [] {
    double value = 1;
    for (int step = 0; step < 40; ++step) value = activation_square("sigmoid", value).mean;
    return value;
  }();
  return q;
}
const stats::Cumulants& square() {
  static const auto moments = activation_square("sigmoid", fixed_point());
  return moments;
}
const stats::Cumulants& slope() {
  static const auto moments = slope_square("sigmoid", fixed_point());
  return moments;
}

void constants(Block& block) {
  block.digits("values", fixed_point(), 0.264687, 5e-7, "fixed point");
  block.digits("values", slope().mean, 0.0557, 5e-5, "E σ′²");
  block.digits("values", 1 / slope().mean, 18, 0.5, "shrinkage a layer");
  // The trapezoidal rule, which knows nothing of the quadrature, has the same fixed point; both
  // carry some hundred roundings, which the contraction does not enlarge.
  static const double sum = trapezoidal_expectation([](double z) {
    const double y = textbook_activation("sigmoid", std::sqrt(fixed_point()) * z);
    return y * y;
  });
  block.close("values", fixed_point(), sum, sum, 2000, "two rules", Dtype::f64);
}

void sample(Block& block) {
  const std::int64_t width = block.integer("width");
  const Tensor z = pre_activations(block, block.integer("n_in"), width, fixed_point());
  const Tensor y = block.matrix(1, width);
  const Tensor one = block.matrix(1, width);
  const Tensor dz = block.matrix(1, width);
  block.forward("sigmoid", {}, {z}, {y});
  fill(one, 1);
  block.backward("sigmoid", {}, {z, one}, {dz});
  standardised_squares(block, "second moment", y, square());
  standardised_squares(block, "backward", dz, slope());
  if (block.first()) constants(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With weights of variance 1/n_in, sigmoid layers drive the second moment of the "
          "pre-activations to 0.264687, not 1, and there the gradient's second moment "
          "shrinks about 18 times a layer",
      .latex = R"(q^* = \mathbb E\,\sigma(\sqrt{q^*}z)^2 = 0.264687,\qquad
\mathbb E\,\sigma'(\sqrt{q^*}z)^2 = 0.0557 \approx 1/18)",
      .source = "section “A more refined version”, summary: “suits sigmoid/tanh”",
      .premise = "width to infinity; at any width exact for one layer given its input",
      .derivation =
          "σ has mean ½, so its second moment cannot fall below ¼, whatever comes in; the "
          "map's fixed point lies just above. Its slope is at most ¼, so the backward "
          "factor is at most 1/16 a layer for weights of variance 1/n in square layers.",
      .erratum =
          Erratum{.says = "σ² = 1/n_in “suits sigmoid/tanh”",
                  .holds = "for sigmoid the pre-activation second moment settles at 0.264687, "
                           "and the gradient shrinks about 18 times a layer: ten layers leave "
                           "3e-13 of it"},
      .method = "Q: fixed point by two quadrature rules; M: one layer of the subject at it",
      .domain = Domain().integer("n_in", 1, 6).integer("width", 2000, 4000),
      .needs = {{"init"}, {"linear"}, {"sigmoid"}, {"sigmoid", Pass::backward}},
      .checks = {{.name = "second moment",
                  .law = square().law(),
                  .expected = constant(square().mean),
                  .unit = constant(square().sd)},
                 {.name = "backward",
                  .law = slope().law(),
                  .expected = constant(slope().mean),
                  .unit = constant(slope().sd)},
                 {.name = "values", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.silent_default"},
  };
}

}  // namespace rootdk::claims::init::lecun::sigmoid
