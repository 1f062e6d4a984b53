#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/activation/normal_points.hpp>

#include <fmt/format.h>

#include <iterator>

namespace rootdk::claims::depth::symmetry {
namespace {

// LeCun + sigmoid: the fixed point q = E σ(√q z)² and 1/E σ′(√q z)² there, by iteration in 25 digits.
constexpr double kSigmoidForward = 0.26468687518189248;
constexpr double kSigmoidBackward = 17.946649602509193;

bool relu(const Configuration& at) { return at.text("layer") == "he_relu"; }

std::int64_t fan_out(const Configuration& at) {
  return at.text("layer") == "lecun_rectangular" ? at.integer("n_out") : at.integer("n_in");
}

/// Entry variance times n_in: the gain of the linear part.
double gain(const Configuration& at) {
  return relu(at) ? 2 : (at.text("layer") == "linear" ? at.real("gain") : 1);
}

double backward_gain(const Configuration& at) {
  return gain(at) * static_cast<double>(fan_out(at)) / static_cast<double>(at.integer("n_in"));
}

void layer(Block& block, std::int64_t draw) {
  const Configuration& at = block.configuration();
  const auto n = at.integer("n_in");
  const auto out = fan_out(at);
  const double sd = std::sqrt(gain(at) / static_cast<double>(n));
  const Tensor x = block.normal(fmt::format("x {}", draw), 1, n);
  const Tensor w = block.normal(fmt::format("W {}", draw), n, out, sd);
  const Tensor z = block.matrix(1, out);
  block.forward("linear", {}, {x, w}, {z});
  Tensor y = z;
  const Tensor dy = block.draw(fmt::format("dy {}", draw), "two_point", 1, out);
  const Tensor dz = block.matrix(1, out);
  copy(dz, dy);
  if (relu(at)) {
    y = block.matrix(1, out);
    block.forward("relu", {}, {z}, {y});
    block.backward("relu", {}, {z, dy}, {dz});
  }
  const Tensor dx = block.matrix(1, n);
  const Tensor dw = block.matrix(n, out);
  block.backward("linear", {}, {x, w, dz}, {dx, dw});
  double xx = 0, gg = 0, passed = 0;
  for (const double v : block.values(x)) xx += v * v;
  for (const double v : block.values(dz)) {
    gg += v * v;
    passed += v != 0 ? 1 : 0;
  }
  // Given the signs, the positive z are half-normal and their squares χ² like any.
  std::vector<double> seen;
  std::ranges::copy_if(block.values(y), std::back_inserter(seen),
                       [&](double v) { return v != 0 || !relu(at); });
  block.chi_squared("forward", stats::sum_of_squares(stats::Independent{seen}, sd * std::sqrt(xx)));
  // The mask looks at xᵀW alone; orthogonal to x the weights are free. If it blocks every unit, as
  // happens once in 2^n_out, there is no gradient to look at.
  if (gg > 0) {
    block.chi_squared(
        "backward", stats::orthogonal_part(block.values(dx), block.values(x), sd * std::sqrt(gg)));
  }
  const bool right =
      passed == (relu(at) ? static_cast<double>(seen.size()) : static_cast<double>(out));
  block.holds("passes", right, "the gradient passes where the value passed");
}

void sigmoid(Block& block) {
  const NormalPoints rule = normal_points();
  const Tensor in = block.matrix(1, static_cast<std::int64_t>(rule.at.size()));
  const Tensor out = block.matrix(1, in.cols());
  const Tensor cotangent = block.matrix(1, in.cols());
  fill(cotangent, -1);
  double q = 1;
  const auto average = [&](Pass pass) {
    for (std::int64_t j = 0; j < in.cols(); ++j) {
      set_element(in, 0, j, std::sqrt(q) * rule.at[static_cast<std::size_t>(j)]);
    }
    if (pass == Pass::forward) {
      block.forward("sigmoid", {}, {in}, {out});
    } else {
      block.backward("sigmoid", {}, {in, cotangent}, {out});
    }
    return mean_square(rule, block.values(out));
  };
  // The map q ↦ E σ(√q z)² contracts by about 0.04: 12 steps are enough for u.
  for (int i = 0; i < 12; ++i) q = average(Pass::forward);
  // σ has 4 roundings, its slope 9, squares twice that and a product; the argument 2 more.
  block.close("sigmoid", q, kSigmoidForward, kSigmoidForward, 12, "forward");
  block.close("sigmoid", 1 / average(Pass::backward), kSigmoidBackward, kSigmoidBackward, 24,
              "backward");
}

void sample(Block& block) {
  for (std::int64_t draw = 0; draw < 32; ++draw) layer(block, draw);
  sigmoid(block);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Square linear layers, and square He layers with ReLU, have the same gain forward "
          "and backward. Others do not: LeCun with n_in ≠ n_out has 1 and n_out/n_in, and "
          "LeCun with sigmoid stays at 0.2647 forward while the gradient is divided by "
          "17.95 a layer",
      .latex = R"(g_\rightarrow = n_\mathrm{in}\sigma_w^2\,\mathbb E f^2,\quad )"
               R"(g_\leftarrow = n_\mathrm{out}\sigma_w^2\,\mathbb E f'^2)",
      .source = "section “The common pattern”: “the two directions are symmetric”",
      .premise = "Gaussian W; one input row and one cotangent per draw of W",
      .derivation =
          "Forward the gain is n_in σ² E f², backward n_out σ² E f′². For f(z) = z and "
          "ReLU both moments are equal (1, ½), and n_in = n_out does the rest. For a "
          "sigmoid f² is about ¼ and f′² about 1/18.",
      .erratum =
          Erratum{.says = "The two directions are symmetric: a stable forward pass makes the "
                          "gradient more likely to be stable",
                  .holds = "Equal gains for square linear and He/ReLU layers; LeCun with "
                           "sigmoid is stable forward (0.2647) and loses a factor 17.95 a "
                           "layer backward; LeCun with n_in ≠ n_out has 1 and n_out/n_in"},
      .method =
          "L: χ² of outputs given the signs, of gradients orthogonal to the input; Q: the "
          "sigmoid's fixed point",
      .domain = Domain()
                    .integer("n_in", 8, 64)
                    .integer("n_out", 8, 64)
                    .real("gain", 0.5, 3, 0.125)
                    .choice("layer", {"linear", "he_relu", "lecun_rectangular"}),
      .needs = {{"linear"},
                {"linear", Pass::backward},
                {"relu"},
                {"relu", Pass::backward},
                {"sigmoid"},
                {"sigmoid", Pass::backward}},
      // A row of outputs costs a whole matrix; gains that are wrong are so by a factor.
      .checks = {{.name = "forward", .law = stats::scale(), .expected = gain, .delta_factor = 2.5},
                 {.name = "backward",
                  .law = stats::scale(),
                  .expected = backward_gain,
                  .delta_factor = 2.5},
                 {.name = "passes", .law = stats::bound()},
                 {.name = "sigmoid", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::symmetry
