#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::branches_ignored {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    Attributes own = a;
    own.branches = 0.5;  // one addition in all
    kernel(own, in, out);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "initialisers of residual projections ignore how many branches are added",
      .fact = "standard deviation 0.020 for 0.00408 at N = 12: the stream's variance 1 + 2Nv",
      .refuted_by = {"depth.gpt2_residual"},
      .plant = [](const Subject& subject) { return subject.with("", "init", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::branches_ignored
