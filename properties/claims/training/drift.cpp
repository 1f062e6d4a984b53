#include <rootdk/properties/training.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::training::drift {
namespace {

constexpr std::array<std::int64_t, 1> kSteps{100};

void sample(Block& block) {
  const std::string& optimiser = block.text("optimiser");
  const std::array heads{head("sqrt_dk", optimiser, optimiser == "sgd" ? 1.28 : 3.2e-3)};
  const Trained trained = train(block, heads, kSteps).front();
  const HeadMeasures& before = trained.before;
  const HeadMeasures& after = trained.at[0];
  const double product = after.var_q * after.var_k;
  const double deviation = std::sqrt(after.var_s);
  block.count("widths", 1, after.var_q > before.var_q && product < 2 ? 1 : 0);
  block.count("aligned", 1, after.var_s > 2.5 * product ? 1 : 0);
  block.count("deviation", 1, deviation > 1.5 && deviation < 5 ? 1 : 0);
  block.count("entropy", 1, after.entropy < 0.65 * before.entropy ? 1 : 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "In training Var q and Var k stay of the order of 1, but the variance of the "
          "scaled scores grows to more than 2.5 times their product and softmax "
          "concentrates, within 100 steps",
      .latex = R"(\operatorname{Var} S > 2.5 \operatorname{Var} q \operatorname{Var} k)",
      .source = "section “Is the variance still 1 during training?”, reason 1",
      .premise =
          "Key retrieval: 16 keys of width 32, d_k = 256, noisy queries; ÷√d_k; SGD at "
          "1.28 or Adam at 0.0032",
      .derivation =
          "Var S = Var q Var k holds for independent q and k. To find a key is to make "
          "q and k dependent: S = x_q W_Q W_Kᵀ x_kᵀ, and learning aligns the two maps, "
          "so that the common directions of W_Q and W_K add up in S while the variances "
          "of q and k alone hardly show it.",
      .erratum =
          Erratum{.says = "when the variance of the elements drifts to 0.7 or 1.3, that of the "
                          "scaled scores is just 0.7 or 1.3",
                  .holds = "Var q and Var k of 1.15 go with Var S = 5.6, 4.2 times their product, "
                           "after 100 steps; 1.34–1.36 with 11.7–12.1, 6.6 times, after 400. "
                           "H/ln m falls from 0.85 to 0.38 and 0.23"},
      .method =
          "L: share of independent trainings, exact binomial; at standard effort ½ is excluded",
      .domain = Domain().choice("optimiser", {"sgd", "adam"}).choice("dtype", {"f32"}),
      .needs = training_needs(),
      .checks = {{.name = "widths", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "aligned", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "deviation", .law = stats::share(0.99), .delta_factor = kHalf},
                 {.name = "entropy", .law = stats::share(0.99), .delta_factor = kHalf}},
      .sample = sample,
      .defects = {"training.scores_detached", "training.scale_dropped"},
  };
}

}  // namespace rootdk::claims::training::drift
