#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::uniform_is_normal {

Defect defect() {
  return {
      .statement = "A uniform initialiser draws from a normal law of the right variance",
      .fact = "Kurtosis 3 for 1.8; one value in 12 beyond the bound, so 159 samples by the support",
      .refuted_by = {"init.law.lecun_uniform", "init.law.glorot_uniform", "init.law.he_uniform",
                     "init.law.pytorch_linear"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.uniform_is_normal", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                const Initialiser& rule = initialiser(a.initialiser);
                if (rule.law != EntryLaw::uniform) return kernel(a, in, out);
                const InitSettings settings{
                    .fan_in = a.fan_in > 0 ? a.fan_in : static_cast<double>(out[0].rows()),
                    .fan_out = a.fan_out > 0 ? a.fan_out : static_cast<double>(out[0].cols()),
                    .gain = a.gain,
                    .slope = a.slope,
                    .d_k = a.d_k,
                    .branches = a.branches};
                // The one rule without a fan, its gain set to give the variance.
                a.initialiser = "gpt2";
                a.gain = std::sqrt(entry_variance(rule, settings)) / 0.02;
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::uniform_is_normal
