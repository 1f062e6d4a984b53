#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/checkers.hpp>
#include <rootdk/properties/gradient/draw.hpp>

#include <string>

namespace rootdk::claims::gradient::checker {
namespace {

/// Data of the operation's own domain; another draw where no planted fault shows, as on a softmax over
/// one class.
void sample(Block& block) {
  constexpr int draws = 32;
  const auto& all = operations();
  const Operation& operation = all[static_cast<std::size_t>(block.integer("operation"))];
  const std::vector<Subject> wrong = wrong_subjects(operation.op);
  bool shown = false;
  for (int draw = 0; draw < draws && !shown; ++draw) {
    const std::string prefix = std::to_string(draw);
    Stream source = block.stream(prefix + " configuration");
    const Configuration at = draw_configuration(operation.domain, source);
    const GradientCase drawn = draw_gradient_case(operation, at, [&](std::string_view role) {
      return block.stream(prefix + " " + std::string(role));
    });
    block.holds("right accepted", accepted_at_50_digits(block.subject(), drawn),
                operation.name + ": the subject's backward pass is refused");
    for (const Subject& subject : wrong) {
      if (!differs(subject, drawn)) continue;
      shown = true;
      block.holds("wrong refused", !accepted_at_50_digits(subject, drawn),
                  subject.name() + ": accepted in " + operation.name);
    }
  }
}

std::vector<Key> wide_kernels() {
  std::vector<Key> keys;
  for (const Operation& operation : operations()) {
    for (const Dtype dtype : {Dtype::r50, Dtype::d50}) {
      for (const Pass pass : {Pass::forward, Pass::backward}) {
        keys.push_back({operation.op, pass, dtype});
      }
    }
  }
  return keys;
}

}  // namespace

Claims claim() {
  const auto last = static_cast<std::int64_t>(operations().size()) - 1;
  return Claim{
      .id = {},
      .statement =
          "The adjoint identity at 50 digits accepts every right backward pass and refuses "
          "every wrong one",
      .latex = R"(|\langle Ju, w\rangle - \langle u, J^\top w\rangle| \le 10^{-42}\sum|g_iu_i|)",
      .source = "section “Means of keeping gradients stable in the backward pass”",
      .premise =
          "A planted fault counts where it changes Σ|gᵢuᵢ| by more than 1e-12 of it, and that is "
          "more than 1e-34 of Σ|wᵢyᵢ|: below, 50 digits of the outputs do not show it",
      .derivation =
          "For random u and w the difference of the two sides is a linear form in the error "
          "of the gradient; it is of the size of the error unless u happens to lie in a "
          "thin slab. At 50 digits rounding is 1e-48, so that the slab that hides a "
          "relative error of 1e-9 has a probability of 1e-32.",
      .method = "G: every planted wrong backward pass against the adjoint identity",
      .domain = Domain().integer("operation", 0, last).integer("draw", 0, 999),
      .needs = {},
      .checks = {{.name = "right accepted", .law = stats::bound(), .needs = wide_kernels()},
                 {.name = "wrong refused", .law = stats::bound(), .needs = wide_kernels()}},
      .sample = sample,
      .defects = {"backward.relative_1e_9"}};
}

}  // namespace rootdk::claims::gradient::checker
