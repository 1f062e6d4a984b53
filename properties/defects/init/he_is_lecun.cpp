#include <rootdk/properties/claim.hpp>

#include <numbers>

namespace rootdk::defects::init::he_is_lecun {

Defect defect() {
  return {
      .statement = "The gain √2 of a He initialiser is missing",
      .fact = "Half the variance",
      .refuted_by = {"init.law.he_normal", "init.law.he_uniform", "init.law.he_normal_fan_out",
                     "init.he.relu", "init.he.not_the_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.he_is_lecun", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                if (a.initialiser.starts_with("he_")) a.gain /= std::numbers::sqrt2;
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::he_is_lecun
