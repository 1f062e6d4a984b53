#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::linear_default {

Defect defect() {
  return {
      .statement =
          "A He initialiser is called with the negative slope √5 that a linear layer's default "
          "passes",
      .fact = "Variance 1/(3n) for 2/n, a sixth: 37 samples",
      .refuted_by = {"init.law.he_normal", "init.law.he_uniform", "init.law.he_normal_fan_out",
                     "init.he.relu", "init.he.not_the_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.linear_default", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                if (a.initialiser.starts_with("he_")) a.slope = std::sqrt(5.0);
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::linear_default
