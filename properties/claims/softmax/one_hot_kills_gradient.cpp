#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/softmax/jacobian_of.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::claims::softmax::one_hot_kills_gradient {
namespace {

void at_most(Block& block, std::string_view check, double small, double large, double tolerance) {
  const double u = unit_roundoff(block.dtype());
  block.error(check, small <= large ? 0 : (small - large) / (large * u), tolerance);
}

void sample(Block& block) {
  const auto m = block.integer("m");
  const Tensor z = block.normal("z", 1, m);
  // One logit leads, by up to 24: 1 − max p goes down to 1e-10.
  const auto winner = m / 2;
  set_element(z, 0, winner, element(z, 0, winner) + block.real("lead"));
  const JacobianOf j = jacobian_of(block, z);
  double top = 0;
  std::int64_t best = 0;
  for (std::int64_t b = 0; b < m; ++b) {
    if (element(j.p, 0, b) <= top) continue;
    top = element(j.p, 0, b);
    best = b;
  }
  double rest = 0;  // 1 − max p, without the cancellation
  double trace = 0;
  for (std::int64_t b = 0; b < m; ++b) {
    if (b != best) rest += element(j.p, 0, b);
    trace += j(static_cast<std::size_t>(b), static_cast<std::size_t>(b));
  }
  // Each side is a sum of positive terms whose relative errors `rounding` bounds.
  const double tolerance = 2 * rounding(j);
  at_most(block, "from below", rest, trace, tolerance);
  at_most(block, "from above", trace, 2 * rest, tolerance);
  std::vector<double> start;
  for (const double v : block.values(block.normal("v", 1, m, 1, Dtype::f64))) start.push_back(v);
  const double norm = norm_from_below(j, start);
  at_most(block, "norm", norm, trace, tolerance);
  // The norm is at least the largest diagonal entry: the bound by the trace is no empty one.
  block.holds("norm", norm > 0);
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "The gradient that softmax lets through is of the size of 1 − max p: the trace of its "
          "Jacobian lies between that and twice that, and bounds its norm",
      .latex =
          R"(1 - \max p \le \operatorname{tr} J = 1 - \|p\|^2 \le 2(1 - \max p),\ \|J\|_2 \le \operatorname{tr} J)",
      .source = "section “What do these values become in softmax?”: why the gradient is almost 0",
      .derivation =
          "‖p‖² ≤ max p · Σp gives the lower bound, ‖p‖² ≥ (max p)² and 1 − x² ≤ 2(1 − x) the "
          "upper one; J is positive semidefinite, so its norm is at most its trace.",
      .method = "I: with sums of positive terms, within 8 (m + 4) u of their own size",
      .domain =
          Domain().integer("m", 2, 32).real("lead", 0, 24, 0.125).choice("dtype", {"f64", "f32"}),
      .needs = {{"softmax"}, {"softmax", Pass::backward}},
      .checks = {{.name = "from below", .law = stats::bound()},
                 {.name = "from above", .law = stats::bound()},
                 {.name = "norm", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.softmax_row_sum_lost"},
  };
}

}  // namespace rootdk::claims::softmax::one_hot_kills_gradient
