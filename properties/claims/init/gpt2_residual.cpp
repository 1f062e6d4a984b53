#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::init::gpt2_residual {
namespace {

constexpr double kStd = 0.02;

double residual(const Configuration& at) {
  return kStd * kStd / (2 * static_cast<double>(at.integer("layers")));
}

/// Draws one parameter of the built model and records Σ w²/variance.
void record(Block& block, std::string_view check, const std::string& role, double variance) {
  const auto d = block.integer("d_model");
  const auto vocabulary = block.integer("vocabulary");
  const bool once = role == "head" || role == "token_embedding";
  const Attributes a{.heads = 1,
                     .layer = once ? 0 : block.integer("layer"),
                     .d_model = d,
                     .branches = static_cast<double>(block.integer("layers")),
                     .seed = block.seed(check),
                     .role = role,
                     .vocabulary = vocabulary};
  const std::int64_t rows = role == "mlp_out" ? 4 * d : role == "token_embedding" ? vocabulary : d;
  const std::int64_t cols = role == "mlp_in" ? 4 * d : role == "head" ? vocabulary : d;
  const Tensor w = block.matrix(rows, cols);
  block.forward("init_parameter", a, {}, {w});
  block.chi_squared(
      check, stats::sum_of_squares(stats::Independent{block.values(w)}, std::sqrt(variance)));
}

void sample(Block& block) {
  record(block, "residual", block.text("residual_role"), residual(block.configuration()));
  record(block, "other", block.text("other_role"), kStd * kStd);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "In a model of N blocks built by GPT-2's recipe the projections that write into "
          "the residual stream have a standard deviation of 0.02/√(2N), every other weight "
          "0.02, in every layer",
      .latex = R"(\sigma_{\text{residual}} = \frac{0.02}{\sqrt{2N}})",
      .source =
          "section “Means of numerical stability in the backward pass”: the special "
          "initialisation of the residual path",
      .premise = "normal entries; N ≥ 2",
      .derivation =
          "The stream adds 2N independent increments, two a block. Dividing each one's "
          "variance by 2N keeps that of their sum the same for every depth. A test of the "
          "initialiser alone cannot see whether the built model ever uses it: the law is "
          "checked by role.",
      .method = "L: Σw²/σ² ~ χ² of parameters of a built model",
      .domain =
          Domain()
              .choice("residual_role", {"attention_output", "mlp_out"})
              .choice("other_role", {"token_embedding", "query", "key", "value", "mlp_in", "head"})
              .integer("layers", 2, 48)
              .integer("layer", 0, 47)
              .integer("d_model", 8, 40)
              .integer("vocabulary", 16, 100)
              .choice("dtype", {"f64", "f32"})
              .valid("layer < layers",
                     [](Configuration& c) {
                       c.set("layer", std::min(c.integer("layer"), c.integer("layers") - 1));
                     }),
      .needs = {{"init_parameter"}},
      // A single rounding to float changes no variance by more than 2^−22.
      .checks = {{.name = "residual", .law = stats::scale(), .expected = residual, .bias = 0x1p-22},
                 {.name = "other",
                  .law = stats::scale(),
                  .expected = constant(kStd * kStd),
                  .bias = 0x1p-22}},
      .sample = sample,
      .defects = {"init.residual_scale_lost"},
  };
}

}  // namespace rootdk::claims::init::gpt2_residual
