#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::scale::scores_half_again {

Defect defect() {
  return {
      .id = {},
      .statement = "The scores of every scheme are half as large again",
      .fact = "variance 2.25 times the stated one, whatever the scheme; a new one too",
      .refuted_by = {"scaling.variance", "scores.scaled_variance"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.scores_half_again", "scores", Pass::forward,
                             [](const Kernel& kernel) -> Kernel {
                               return [kernel](const Attributes& a, std::span<const Tensor> in,
                                               std::span<const Tensor> out) {
                                 kernel(a, in, out);
                                 multiply(out[0], 1.5);
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::scores_half_again
