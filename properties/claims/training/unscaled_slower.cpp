#include <rootdk/properties/training.hpp>

#include <array>

namespace rootdk::claims::training::unscaled_slower {
namespace {

constexpr std::array<std::int64_t, 2> kSteps{100, 200};

void sample(Block& block) {
  const std::string& optimiser = block.text("optimiser");
  const bool sgd = optimiser == "sgd";
  const std::array heads{head("sqrt_dk", optimiser, sgd ? 1.28 : 3.2e-3),
                         head("none", optimiser, sgd ? 0.16 : 6.4e-3)};
  const auto trained = train(block, heads, kSteps);
  const Trained& scaled = trained[0];
  const Trained& unscaled = trained[1];
  const auto ratio = [&](std::size_t i) { return unscaled.at[i].loss / scaled.at[i].loss; };
  block.count("slower", 1, ratio(0) > 2 ? 1 : 0);
  block.count("learns", 1, unscaled.at[1].loss < 0.9 * unscaled.before.loss ? 1 : 0);
  block.count("gap_closes", 1, ratio(1) < ratio(0) ? 1 : 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Without √d_k the held-out loss after 100 steps is more than twice that with "
          "it, yet it falls too, and between 100 and 200 steps the ratio shrinks",
      .latex =
          R"(L^{\text{none}}_{100} > 2 L^{\sqrt{d_k}}_{100},\quad L^{\text{none}}_{200} < 0.9 L^{\text{none}}_0,\quad \frac{L^{\text{none}}_{200}}{L^{\sqrt{d_k}}_{200}} < \frac{L^{\text{none}}_{100}}{L^{\sqrt{d_k}}_{100}})",
      .source = "summary “Is it necessary?”; section “What do these values become in softmax?”",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries, W_Q, W_K of "
          "variance 1/32. Each at its best constant rate: SGD 1.28 and 0.16, Adam 0.0032 "
          "and 0.0064",
      .derivation =
          "At the start the unscaled scores have standard deviation 16 and softmax is "
          "nearly one-hot (entropy 0.07 ln m), on a wrong key. Most queries pass no "
          "gradient, but the few whose two greatest scores are close pass a large one, "
          "so that weights move at a useful rate on average and training is slow, not "
          "stuck.",
      .erratum =
          Erratum{.says = "without scaling softmax saturates and the gradient vanishes: some form "
                          "of scaling is necessary",
                  .holds =
                      "slower, not stuck: after 100 steps of Adam the loss is 1.36 for 0.33 "
                      "(SGD 1.27 for 0.33; the ratio is at least 3.0 in each of 60 "
                      "trainings), after 400 at half the rates 0.64 for 0.29 (0.55 for "
                      "0.29; at least 1.6 in each of 20). Without noise in the queries the "
                      "unscaled head has the lower loss after 200 steps in 15 of 20 trainings"},
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("optimiser", {"adam", "sgd"}).choice("dtype", {"f32"}),
      .needs = training_needs(),
      .checks = {{.name = "slower", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "learns", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "gap_closes", .law = stats::share(0.9), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scale_dropped", "training.scores_detached"},
  };
}

}  // namespace rootdk::claims::training::unscaled_slower
