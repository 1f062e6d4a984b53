#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::gpt2_residual {
namespace {

constexpr double kBaseSd = 0.02;  // of the initialiser, before its 1/√(2N)

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto blocks = block.integer("N");
  const auto m = n / 2;
  const double v = block.real("v");
  const double width = static_cast<double>(n);
  const double sd = std::sqrt(v / (2 * static_cast<double>(blocks) * width));
  const Tensor gamma = block.matrix(1, n);
  fill(gamma, 1);
  const Tensor x = block.normal("x", m, n);
  // x_2N = [I u_1 … u_2N] [x_0; W_1; …; W_2N], the branches' part in units of their deviation.
  const Tensor inputs = block.matrix(m, m + 2 * blocks * n);
  fill(inputs, 0);
  for (std::int64_t i = 0; i < m; ++i) set_element(inputs, i, i, 1);
  for (std::int64_t l = 0; l < 2 * blocks; ++l) {
    const Tensor raw = block.normal(fmt::format("u {}", l), m, n, 2);
    const Tensor u = block.matrix(m, n);
    const Tensor y = block.matrix(m, n);
    const Tensor w = block.matrix(n, n);
    block.forward("rms_norm", {.epsilon = 0}, {raw, gamma}, {u});
    block.forward("init",
                  {.initialiser = "gpt2_residual",
                   .gain = std::sqrt(v / width) / kBaseSd,
                   .branches = static_cast<double>(blocks),
                   .seed = block.seed(fmt::format("W {}", l))},
                  {}, {w});
    block.forward("linear", {}, {u, w}, {y});
    add_scaled(x, 1, y);
    const Tensor unit = unit_rms_rows(block, raw);
    if (l == 0) {
      block.chi_squared("branch",
                        stats::whitened_scores({block.values(y), m, n}, block.values(unit), sd));
    }
    multiply(unit, sd);
    copy(columns(inputs, m + l * n, n), unit);
  }
  block.chi_squared("stream",
                    stats::whitened_scores({block.values(x), m, n}, block.values(inputs), 1));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "With residual projections scaled by 1/√(2N), the 2N branches of N blocks add v "
          "to the stream's variance in all, 1 + v, whatever N; each has the standard "
          "deviation √(v/2N), 0.204 for v = 1 at N = 12",
      .latex = R"(\operatorname{Var}(x_{2N}) = 1 + v,\quad \mathrm{std}(f_l) = \sqrt{v/2N})",
      .source =
          "section “Gradient stability in the backward pass”: the special initialisation of "
          "the residual path, GPT-2's 1/√(2N)",
      .premise = "Branch inputs of RMS 1, Gaussian weights of standard deviation √(v/n)/√(2N)",
      .derivation =
          "Two branches a block, each of variance v/(2N), independent of the stream: they "
          "add up to v. The scale is that of a sum of 2N terms, not a small constant: a "
          "branch falls as N^−½, and is a fifth of the stream at N = 12.",
      .erratum =
          Erratum{.says = "The 1/√(2N) scale makes the branches' outputs close to 0 early in "
                          "training",
                  .holds = "Their standard deviation is √(v/2N): 0.204 for v = 1 at N = 12. "
                           "What is kept is their sum, v for every N"},
      .method =
          "L: whitened stream and first branch ~ χ², weights by the initialiser gpt2_residual",
      .domain = Domain().integer("n", 32, 64).integer("N", 1, 12).real("v", 0.25, 2, 0.25),
      .needs = {{"init"}, {"rms_norm"}, {"linear"}},
      .checks = {{.name = "stream",
                  .law = stats::scale(),
                  .expected = [](const Configuration& at) { return 1 + at.real("v"); },
                  .delta_factor = 2.5},
                 {.name = "branch",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& at) {
                        return at.real("v") / (2 * static_cast<double>(at.integer("N")));
                      },
                  .delta_factor = 2.5}},
      .sample = sample,
      .defects = {"numbers.branches_ignored", "numbers.length_one", "numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::gpt2_residual
