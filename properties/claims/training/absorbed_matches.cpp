#include <rootdk/properties/training.hpp>

#include <array>
#include <cmath>

namespace rootdk::claims::training::absorbed_matches {
namespace {

constexpr std::array<std::int64_t, 2> kSteps{1, 20};

bool same(const HeadMeasures& a, const HeadMeasures& b) {
  return a.loss == b.loss && a.entropy == b.entropy && a.var_s == b.var_s;
}

void sample(Block& block) {
  const std::string& optimiser = block.text("optimiser");
  const double root = std::exp2(block.integer("half_log2_d_k"));
  const bool sgd = optimiser == "sgd";
  std::array heads{head("sqrt_dk", optimiser, sgd ? 1.28 : 3.2e-3),
                   head("absorbed", optimiser, sgd ? 1.28 : 3.2e-3),
                   head("absorbed", optimiser, sgd ? 1.28 : 3.2e-3)};
  for (Training& each : heads) each.setup.d_k = std::llround(root * root);
  heads[1].setup.query_factor = heads[2].setup.query_factor = 1 / root;
  Update& query = heads[1].setup.query;
  query.rate /= sgd ? root * root : root;
  query.epsilon *= root;
  const auto trained = train(block, heads, kSteps);
  bool weights = trained[0].w_k == trained[1].w_k;
  for (std::size_t i = 0; i < trained[0].w_q.size(); ++i) {
    weights = weights && trained[0].w_q[i] == root * trained[1].w_q[i];
  }
  block.holds("start", same(trained[0].before, trained[1].before));
  block.holds("weights", weights);
  block.holds("measures", same(trained[0].at[1], trained[1].at[1]));
  block.holds("same_rate_differs", trained[0].at[0].loss != trained[2].at[0].loss);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With √d_k absorbed into W_Q′ = W_Q/√d_k training is the same, bit for bit when "
          "d_k is a power of 16, if the rate of W_Q′ is divided by d_k (SGD) or by √d_k "
          "with ε multiplied by √d_k (Adam); at the same rate it is another training",
      .latex =
          R"(W_Q' = W_Q/\sqrt{d_k},\ \eta' = \eta/d_k\ \text{(SGD)},\ \eta' = \eta/\sqrt{d_k},\ \epsilon' = \epsilon\sqrt{d_k}\ \text{(Adam)})",
      .source =
          "section “Other options for the scaling”, option 2: absorbed into the "
          "initialisation of W_Q",
      .premise =
          "d_k a power of 16, so that √d_k and its root, which a kernel may put on Q and K, are "
          "powers of 2 and every product with them exact; "
          "SGD without momentum or Adam, without decay",
      .derivation =
          "dL/dW_Q′ = √d_k dL/dW_Q. SGD must move W_Q′ = W_Q/√d_k by 1/√d_k of the step "
          "of W_Q although its gradient is √d_k times as long: rate/d_k. Adam divides by "
          "the length of the gradient and needs rate/√d_k alone. No underflow, so "
          "scaling by powers of 2 commutes with every rounding.",
      .erratum =
          Erratum{.says = "the effect is equivalent to dividing by √d_k",
                  .holds =
                      "equivalent in the forward pass. At one rate SGD moves the scores d_k "
                      "times as far: after 100 steps at 1.28, d_k = 256, the loss is 1.45–1.77 "
                      "for 0.29–0.40 (20 trainings), worse than before training"},
      .method = "I: equality of every weight after 20 steps",
      .domain = Domain()
                    .choice("optimiser", {"sgd", "adam"})
                    .integer("half_log2_d_k", 2, 4)
                    .choice("dtype", {"f32", "f64"})
                    .valid("half_log2_d_k even",
                           [](Configuration& c) {
                             c.set("half_log2_d_k", c.integer("half_log2_d_k") / 2 * 2);
                           }),
      .needs = training_needs(),
      .checks = {{.name = "start"},
                 {.name = "weights"},
                 {.name = "measures"},
                 {.name = "same_rate_differs"}},
      .sample = sample,
      .defects = {"training.gradient_unscaled", "training.scale_dropped"},
  };
}

}  // namespace rootdk::claims::training::absorbed_matches
