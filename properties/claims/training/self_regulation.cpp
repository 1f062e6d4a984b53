#include <rootdk/properties/training.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::training::self_regulation {
namespace {

constexpr std::array<std::int64_t, 1> kSteps{100};

void sample(Block& block) {
  const bool small = block.text("gain") == "1/4";
  std::array heads{head("sqrt_dk", "adam", 6.4e-3)};
  heads[0].setup.gain = small ? 0.25 : 4;
  const Trained trained = train(block, heads, kSteps).front();
  const double before = std::sqrt(trained.before.var_s);
  const double after = std::sqrt(trained.at[0].var_s);
  // A head that starts right ends at a standard deviation of about 3.2.
  block.count("deviation", 1, small ? before < 0.2 && after > 1.5 && after < 6 : after > 12);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Training repairs weights that are 4 times too small (100 steps take the "
          "standard deviation of the scores from 0.06 to between 1.5 and 6), not weights "
          "that are 4 times too large (it stays above 12)",
      .latex = R"(\sigma_S:\ 0.06 \to 2.8\ (W/4),\qquad 16 \to 18\ (4W),\qquad 1 \to 3.2\ (W))",
      .source = "section “Is the variance still 1 during training?”, reason 2",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries; ÷√d_k; W_Q and W_K "
          "both multiplied by ¼ or 4; Adam at 0.0064",
      .derivation =
          "Small scores leave softmax uniform, where its gradient is greatest: the "
          "weights grow until the right key wins. Large scores saturate it: the loss "
          "falls faster by turning a large W than by shrinking it, and the gradient of "
          "the radius, ⟨dW, W⟩ = ⟨dS, S⟩, is small against the radius itself.",
      .erratum =
          Erratum{.says = "outputs that are too large or too small are reported by the loss, and "
                          "the parameters adjust by themselves to a suitable range",
                  .holds = "too small yes: the standard deviation of the scores goes from .06 to "
                           "2.8 in 100 steps and 3.3 in 400, as from the right start. Too large "
                           "no: from 16 to 18 in 100 steps; in 400 to 16–37 with Adam at .0016 to "
                           ".0128 and 19–26 with SGD at .64 and 1.28, never towards 3.3"},
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("gain", {"1/4", "4"}).choice("dtype", {"f32"}),
      .needs = training_needs(),
      .checks = {{.name = "deviation", .law = stats::share(0.99), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scores_detached"},
  };
}

}  // namespace rootdk::claims::training::self_regulation
