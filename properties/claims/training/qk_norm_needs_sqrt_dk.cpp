#include <rootdk/properties/training.hpp>

#include <array>

namespace rootdk::claims::training::qk_norm_needs_sqrt_dk {
namespace {

constexpr std::array<std::int64_t, 1> kSteps{50};

void sample(Block& block) {
  std::array heads{head("sqrt_dk", "adam", 6.4e-3), head("none", "adam", 6.4e-3)};
  for (Training& each : heads) each.row_norm = true;
  const auto trained = train(block, heads, kSteps);
  block.count("learns", 1, trained[0].at[0].loss < 0.75 * trained[0].before.loss ? 1 : 0);
  block.count("slower", 1, trained[1].at[0].loss > 2 * trained[0].at[0].loss ? 1 : 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "RMSNormed queries and keys still need the division by √d_k: with it the "
          "held-out loss falls by more than a quarter in 50 steps, without it it is more "
          "than twice as large",
      .latex = R"(L(\hat q\hat k^\top) > 2\,L(\hat q\hat k^\top/\sqrt{d_k}))",
      .source = "section “Other options for the scaling”, option 4: QK-Norm",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries; RMSNorm without "
          "gain on the rows of Q and K; Adam at 0.0064 for both",
      .derivation =
          "Rows of root mean square 1 have length √d_k, so the scores have variance d_k "
          "as without the norm, and softmax starts saturated. The norm bounds the "
          "scores, by d_k; it does not make them of order 1.",
      .erratum =
          Erratum{.says = "after normalising Q and K the range of the products is under "
                          "control and no further scaling is needed",
                  .holds = "after 50 steps the loss is 1.58 without ÷√d_k and 0.36 with it, the "
                           "ratio at least 3.6 in each of 40 trainings; after 100 steps 1.33 "
                           "and 0.33, at least 3.0"},
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("optimiser", {"adam"}).choice("dtype", {"f32"}),
      .needs = training_needs(true),
      .checks = {{.name = "learns", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "slower", .law = stats::share(0.99), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scale_dropped", "training.scores_detached"},
  };
}

}  // namespace rootdk::claims::training::qk_norm_needs_sqrt_dk
