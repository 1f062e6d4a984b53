#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>
#include <rootdk/stats/distributions.hpp>

namespace rootdk::claims::norm::law {
namespace {

constexpr std::int64_t kRows = 64;

void sample(Block& block) {
  const auto d = block.integer("d");
  const bool layer = block.text("op") == "layer_norm";
  const double sd = std::ldexp(1.0, static_cast<int>(block.integer("exponent")));
  const Tensor x = block.normal("x", kRows, d, sd);
  const Tensor gamma = block.matrix(1, d);
  const Tensor beta = block.matrix(1, d);
  fill(gamma, 1);
  fill(beta, 0);
  const Tensor y = block.matrix(kRows, d);
  if (layer) {
    block.forward("layer_norm", {.epsilon = 0}, {x, gamma, beta}, {y});
  } else {
    block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {y});
  }
  const auto ys = block.values(y);
  // Given an independent radius R² ~ χ²(free), y R/√d is Gaussian again: N(0, I) for RMSNorm, and
  // for LayerNorm N(0, I − 11ᵀ/d), of which differences of pairs are independent of variance 2.
  const std::int64_t free = layer ? d - 1 : d;
  const auto radii = block.values(block.normal("R", kRows, free, 1, Dtype::f64));
  std::vector<double> gaussian;
  std::vector<double> uniform;
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto row = row_of(ys, i, d);
    double square = 0;
    for (const double v : row_of(radii, i, free)) square += v * v;
    const double scale = std::sqrt(square / static_cast<double>(d));
    for (std::size_t j = 0; j + 1 < row.size(); j += 2) {
      gaussian.push_back(scale * (layer ? (row[j] - row[j + 1]) / std::numbers::sqrt2 : row[j]));
    }
    const double share = row[0] * row[0] / static_cast<double>(free);
    uniform.push_back(share < 1 ? stats::beta_lower(0.5, static_cast<double>(free - 1) / 2, share)
                                : 1);
  }
  block.chi_squared("half", stats::sum_of_squares(stats::Independent{gaussian}, 1));
  block.uniforms("first", stats::Independent{uniform});
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "A Gaussian row leaves RMSNorm uniform on the sphere of radius √d, so that "
          "y₁²/d ~ Beta(½, (d−1)/2), and LayerNorm uniform on its section of mean 0, "
          "y₁²/(d−1) ~ Beta(½, (d−2)/2)",
      .latex = R"(y_1^2/d \sim \mathrm{Beta}(\tfrac12, \tfrac{d-1}2),\quad )"
               R"(y_1^2/(d-1) \sim \mathrm{Beta}(\tfrac12, \tfrac{d-2}2))",
      .source =
          "section “A deeper layer: √d_k and initialisation”: after RMSNorm the variance is "
          "about 1",
      .premise = "Gaussian rows, ε = 0, γ = 1, d ≥ 3",
      .derivation =
          "The direction of a Gaussian row is uniform and independent of its length, "
          "which the norm removes: entries of y have second moment 1 exactly, whatever "
          "the scale, but are bounded by √d. Multiplied by an independent χ(d) length "
          "they are Gaussian again, which gives an exact χ² test of the scale.",
      .method = "L: χ² of every second entry at an independent radius; D: y₁² by DKW",
      .domain = Domain()
                    .integer("d", 3, 128)
                    .integer("exponent", -6, 6)
                    .choice("op", {"rms_norm", "layer_norm"}),
      .needs = {{"rms_norm"}, {"layer_norm"}},
      .checks = {{.name = "half", .law = stats::scale()},
                 // The distance is of the shape alone, the scale being seen by the other check.
                 {.name = "first", .law = stats::shape(), .delta_factor = 3}},
      .sample = sample,
      .defects = {"numbers.length_one"},
  };
}

}  // namespace rootdk::claims::norm::law
