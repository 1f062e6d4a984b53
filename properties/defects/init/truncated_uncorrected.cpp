#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::truncated_uncorrected {

Defect defect() {
  return {
      .statement = "A truncated normal law takes its standard deviation before the cut",
      .fact = "Variance × 0.773741; 1,959 samples, 392 by the support",
      .refuted_by = {"init.law.lecun_truncated", "init.truncated.correction"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "init.truncated_uncorrected", "init", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    Attributes a = attributes;
                    if (initialiser(a.initialiser).law == EntryLaw::truncated_normal) {
                      a.gain *= std::sqrt(truncated_variance(2));
                    }
                    kernel(a, in, out);
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::init::truncated_uncorrected
