#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::training::scores_detached {

Defect defect() {
  return {
      .statement = "The gradient stops at the scores: queries, keys and scale get zeros",
      .fact = "the forward pass and its every law are right; the loss stays what it was",
      .refuted_by = {"training.schemes_learn", "training.unscaled_slower",
                     "training.self_regulation", "training.drift", "training.alpha_adjusts",
                     "training.alpha_early", "training.qk_norm_needs_sqrt_dk"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "training.scores_detached", "scores", Pass::backward, [](Kernel) -> Kernel {
                  return
                      [](const Attributes&, std::span<const Tensor>, std::span<const Tensor> out) {
                        for (const Tensor& gradient : out) fill(gradient, 0);
                      };
                });
          },
  };
}

}  // namespace rootdk::defects::training::scores_detached
