#include <rootdk/properties/training.hpp>

#include <array>

namespace rootdk::claims::training::alpha_adjusts {
namespace {

constexpr std::array<std::int64_t, 1> kSteps{100};

void sample(Block& block) {
  const bool large = block.text("start") == "16";
  const double times = large ? 16 : 1.0 / 16;
  const std::array heads{head_with_scale("adam", 3.2e-3, times, 0.04)};
  const Trained trained = train(block, heads, kSteps).front();
  const double moved = trained.alpha.back() / heads[0].setup.alpha;
  block.count("moves", 1, large ? moved < 0.25 : moved > 4);
  block.count("learns", 1, trained.at[0].loss < 0.75 * trained.before.loss ? 1 : 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "A learnable scale α = e^a that starts 16 times too large falls, and one that "
          "starts 16 times too small rises, by more than a factor 4 in 100 steps of Adam, "
          "and the head learns",
      .latex =
          R"(\alpha_0\sqrt{d_k} = 16:\ \alpha_{100} < \tfrac14\alpha_0;\qquad \alpha_0\sqrt{d_k} = \tfrac1{16}:\ \alpha_{100} > 4\alpha_0)",
      .source =
          "section “Other options for the scaling”, option 1: the scale is adjusted "
          "automatically by backpropagation",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries; Adam at 0.0032 for "
          "the weights, 0.04 for a. A raw α instead of a can cross 0 and stay negative",
      .derivation =
          "α dL/dα = ⟨dS, S⟩ says how the loss changes when all scores grow by one "
          "factor. Wrong keys win when scores are too large, so the loss falls with α; "
          "when they are too small the right key does not win by enough. Measured: from "
          "16 to 0.7–1.4, from 1/16 to 0.93–1.13, in units of 1/√d_k.",
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("start", {"16", "1/16"}).choice("dtype", {"f32"}),
      .needs = training_needs(),
      .checks = {{.name = "moves", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "learns", .law = stats::share(0.99), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scale_frozen", "training.scores_detached"},
  };
}

}  // namespace rootdk::claims::training::alpha_adjusts
