#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rootdk::claims::scaling::absorbed_gradient {
namespace {

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kKeys = 4;
constexpr std::int64_t kSteps = 4;

/// One query weight under training. The loss is ⟨G, S⟩ + ‖S‖²/2, so that dS = G + S.
struct Training {
  Block& block;
  std::string_view scheme;
  Tensor x, k, g, w;
  std::vector<double> m, v;  // Adam's moments

  /// The scores, and the gradient of the weight left in dw.
  Tensor step_gradient(const Tensor& dw) {
    const std::int64_t d = w.cols();
    const Tensor q = block.matrix(kRows, d);
    const Tensor s = block.matrix(kRows, kKeys);
    const Tensor dq = block.matrix(kRows, d);
    const Tensor dk = block.matrix(kKeys, d);
    const Tensor dx = block.matrix(kRows, x.cols());
    block.forward("linear", {}, {x, w}, {q});
    block.forward("scores", {.scheme = scheme}, {q, k}, {s});
    const Tensor ds = block.matrix(kRows, kKeys);
    copy(ds, s);
    add_scaled(ds, 1, g);
    block.backward("scores", {.scheme = scheme}, {q, k, ds}, {dq, dk});
    block.backward("linear", {}, {x, w, dq}, {dx, dw});
    return s;
  }

  void sgd(double rate) {
    const Tensor dw = block.matrix(w.rows(), w.cols());
    step_gradient(dw);
    add_scaled(w, -rate, dw);
  }

  void adam(double rate, double epsilon) {
    constexpr double decay1 = 0.875;
    constexpr double decay2 = 0.9375;
    const Tensor dw = block.matrix(w.rows(), w.cols());
    step_gradient(dw);
    const auto size = static_cast<std::size_t>(w.size());
    m.resize(size, 0.0);
    v.resize(size, 0.0);
    const auto gradient = block.values(dw);
    for (std::size_t i = 0; i < size; ++i) {
      m[i] = decay1 * m[i] + (1 - decay1) * gradient[i];
      v[i] = decay2 * v[i] + (1 - decay2) * gradient[i] * gradient[i];
      const auto row = static_cast<std::int64_t>(i) / w.cols();
      const auto col = static_cast<std::int64_t>(i) % w.cols();
      const double change = rate * m[i] / (std::sqrt(v[i]) + epsilon);
      set_element(w, row, col, element(w, row, col) - change);
    }
  }
};

Training training(Block& block, std::string_view scheme, double factor) {
  const auto n_in = block.integer("n_in");
  const std::int64_t d = block.text("d_k") == "256" ? 256 : 16;
  const double sd = 1 / std::sqrt(static_cast<double>(n_in));
  Training result{block,
                  scheme,
                  block.normal("x", kRows, n_in),
                  block.normal("K", kKeys, d),
                  block.normal("G", kRows, kKeys),
                  block.normal("W_Q", n_in, d, sd),
                  {},
                  {}};
  multiply(result.w, factor);
  return result;
}

double largest_gap(const Tensor& w, const Tensor& absorbed, double root) {
  double gap = 0;
  for (std::int64_t a = 0; a < w.rows(); ++a) {
    for (std::int64_t c = 0; c < w.cols(); ++c) {
      gap = std::max(gap, std::abs(element(absorbed, a, c) * root - element(w, a, c)));
    }
  }
  return gap;
}

/// dL/dW_Q′ = √d_k dL/dW_Q, and at one rate the scores move d_k times as far.
void one_step(Block& block, double root, double rate) {
  Training plain = training(block, "sqrt_dk", 1);
  Training absorbed = training(block, "absorbed", 1 / root);
  const Tensor dw = block.matrix(plain.w.rows(), plain.w.cols());
  const Tensor da = block.matrix(plain.w.rows(), plain.w.cols());
  const Tensor before = plain.step_gradient(dw);
  const Tensor before_a = absorbed.step_gradient(da);
  double size = 0;
  for (const double value : block.values(dw)) size = std::max(size, std::abs(value));
  // d_k is a power of 16: both sides run through the same roundings.
  for (std::int64_t a = 0; a < dw.rows(); ++a) {
    for (std::int64_t c = 0; c < dw.cols(); ++c) {
      block.close("gradient", element(da, a, c), root * element(dw, a, c), root * size, 1);
    }
  }
  plain.sgd(rate);
  absorbed.sgd(rate);
  const Tensor after = plain.step_gradient(dw);
  const Tensor after_a = absorbed.step_gradient(da);
  // ΔS = −η x xᵀ dS K Kᵀ/d_k is linear in the step. Both sides are differences of scores, each with
  // an error of (n_in + d_k) u of its absolute terms, d_k times as many on the left.
  const double d = root * root;
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int64_t j = 0; j < kKeys; ++j) {
      double terms = std::abs(element(before, i, j));
      for (std::int64_t c = 0; c < plain.w.cols(); ++c) {
        for (std::int64_t a = 0; a < plain.w.rows(); ++a) {
          const double weight = std::abs(element(plain.w, a, c)) + d * rate * size;
          terms += std::abs(element(plain.x, i, a) * element(plain.k, j, c)) * weight / root;
        }
      }
      const double moved = element(after, i, j) - element(before, i, j);
      const double moved_a = element(after_a, i, j) - element(before_a, i, j);
      block.close("moves d_k times as far", moved_a, d * moved, d * terms,
                  4 * (static_cast<double>(plain.w.rows()) + d));
    }
  }
}

void sample(Block& block) {
  const double root = block.text("d_k") == "256" ? 16 : 4;
  const double rate = block.real("rate");
  one_step(block, root, rate);
  Training sgd = training(block, "sqrt_dk", 1);
  Training sgd_absorbed = training(block, "absorbed", 1 / root);
  Training adam = training(block, "sqrt_dk", 1);
  Training adam_absorbed = training(block, "absorbed", 1 / root);
  Training same_rate = training(block, "absorbed", 1 / root);
  for (std::int64_t step = 0; step < kSteps; ++step) {
    sgd.sgd(rate);
    sgd_absorbed.sgd(rate / (root * root));
    adam.adam(rate, 0.0625);
    adam_absorbed.adam(rate / root, 0.0625 * root);
    same_rate.sgd(rate);
  }
  block.holds("SGD, rate/d_k: same bits", largest_gap(sgd.w, sgd_absorbed.w, root) == 0);
  block.holds("Adam, rate/√d_k, ε√d_k: same bits", largest_gap(adam.w, adam_absorbed.w, root) == 0);
  block.holds("same rate: another training", largest_gap(sgd.w, same_rate.w, root) > 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Absorbing √d_k into W_Q is not neutral in training: dL/dW_Q′ is √d_k dL/dW_Q, and a "
          "step of gradient descent moves the scores d_k times as far. The same training needs "
          "the rate divided by d_k (SGD), or by √d_k with ε multiplied by it (Adam)",
      .latex = R"(\frac{\partial L}{\partial W_Q'} = \sqrt{d_k}\,\frac{\partial L}{\partial W_Q})",
      .source = "section “Absorbing the scaling into the initialisation of W_Q”",
      .premise = "d_k = 16 or 256, where √d_k is a power of two and multiplying by it is exact",
      .derivation =
          "W_Q′ = W_Q/√d_k. The chain rule gives its gradient the factor √d_k while the weight "
          "itself is √d_k times smaller: relative to it a step is d_k times as long. Adam "
          "divides the gradient by its own size, so there only √d_k is left.",
      .erratum =
          Erratum{
              "Absorbing the scaling is equivalent to dividing by √d_k",
              "It is in the forward pass. In training a step of W_Q′ moves the scores d_k times "
              "as far at the same rate; equal only at rate/d_k (SGD without decay) or rate/√d_k "
              "and ε√d_k (Adam)"},
      .method = "I: four steps of each optimiser, compared bit for bit",
      .domain = Domain()
                    .integer("n_in", 2, 12)
                    .real("rate", 0.015625, 0.25, 0.015625)
                    .choice("d_k", {"16", "256"}),
      .needs = {{"linear"}, {"linear", Pass::backward}, {"scores"}, {"scores", Pass::backward}},
      .checks = {{.name = "gradient", .law = stats::bound()},
                 {.name = "moves d_k times as far", .law = stats::bound()},
                 {.name = "SGD, rate/d_k: same bits", .law = stats::bound()},
                 {.name = "Adam, rate/√d_k, ε√d_k: same bits", .law = stats::bound()},
                 {.name = "same rate: another training", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::scaling::absorbed_gradient
