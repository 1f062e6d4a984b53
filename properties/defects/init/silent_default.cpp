#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::init::silent_default {

Defect defect() {
  return {
      .statement =
          "The initialiser asked for is skipped, and the framework's default, uniform of variance "
          "1/(3 n_in), is kept",
      .fact = "Near the target at one width by chance, far from it at two",
      .refuted_by = {"init.law.lecun_normal", "init.law.glorot_normal", "init.law.he_normal",
                     "init.law.gpt2", "init.linearity", "init.naming"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.silent_default", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                a.initialiser = "pytorch_linear";
                a.gain = 1;
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::silent_default
