#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/checkers.hpp>
#include <rootdk/properties/gradient/draw.hpp>

namespace rootdk::claims::gradient::checker {
namespace {

/// Each operation in turn, on data of its own domain.
void sample(Block& block) {
  const auto& all = operations();
  const Operation& operation = all[static_cast<std::size_t>(block.integer("operation"))];
  Stream source = block.stream("configuration");
  const Configuration at = draw_configuration(operation.domain, source);
  const GradientCase drawn =
      draw_gradient_case(operation, at, [&](std::string_view role) { return block.stream(role); });
  block.holds("right accepted", accepted_at_50_digits(block.subject(), drawn),
              operation.name + ": the subject's backward pass is refused");
  for (const Subject& wrong : wrong_subjects(operation.op)) {
    if (!differs(wrong, drawn)) continue;
    block.holds("wrong refused", !accepted_at_50_digits(wrong, drawn),
                wrong.name() + ": accepted in " + operation.name);
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
      .source = "section “Gradients”",
      .premise = "A planted fault counts where it changes the gradient by more than 1e-12",
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
