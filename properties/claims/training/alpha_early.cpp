#include <rootdk/properties/training.hpp>

#include <algorithm>
#include <array>

namespace rootdk::claims::training::alpha_early {
namespace {

constexpr std::array<std::int64_t, 1> kSteps{100};

void sample(Block& block) {
  const std::array heads{head_with_scale("adam", 3.2e-3, 1, 0.02)};
  const Trained trained = train(block, heads, kSteps).front();
  const double start = heads[0].setup.alpha;
  const double least = *std::ranges::min_element(trained.alpha);
  block.count("first_step", 1, trained.alpha.front() < start ? 1 : 0);
  block.count("dip", 1, least < 0.9 * start ? 1 : 0);
  block.count("end", 1, trained.alpha.back() > 1.2 * start ? 1 : 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "A learnable scale that starts at 1/√d_k does not go where it is bound in one "
          "direction: the first step lowers it, it falls by more than a tenth, and after "
          "100 steps it is more than a fifth above its start",
      .latex =
          R"(\alpha_1 < \alpha_0,\quad \min_t\alpha_t < 0.9\,\alpha_0,\quad \alpha_{100} > 1.2\,\alpha_0)",
      .source =
          "section “Other options for the scaling”, option 1: the value of α may be unstable "
          "early in training",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries; α = e^a, Adam at "
          "0.0032 for the weights, 0.02 for a",
      .derivation =
          "At first the scores are unaligned with the answer: their spread only adds "
          "Σp² to the loss, which is least at α = 0. As W_Q and W_K align, larger scores "
          "pay, and the sign of dL/da turns. Measured: down to 0.72–0.82 of the start "
          "near step 19, then up to 1.57–1.75.",
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("optimiser", {"adam"}).choice("dtype", {"f32"}),
      .needs = training_needs(),
      .checks = {{.name = "first_step", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "dip", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "end", .law = stats::share(0.99), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scale_frozen", "training.scores_detached"},
  };
}

}  // namespace rootdk::claims::training::alpha_early
