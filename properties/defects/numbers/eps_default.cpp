#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::eps_default {
namespace {

Kernel wrap(Kernel kernel, bool) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    Attributes own = a;
    own.epsilon = 2 * unit_roundoff(out[0].dtype);
    kernel(own, in, out);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "a norm ignores its ε and takes the machine epsilon of the dtype",
      .fact = "a factor 0.49 in bfloat16 at a root mean square of 0.05",
      .refuted_by = {"norm.rms", "norm.scale_invariance"},
      .plant =
          [](const Subject& subject) {
            return with_norms(with_norms(subject, Pass::forward, wrap), Pass::backward, wrap);
          },
  };
}

}  // namespace rootdk::defects::numbers::eps_default
