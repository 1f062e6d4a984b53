#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::training::scale_dropped {

Defect defect() {
  const auto drop = [](Kernel kernel) -> Kernel {
    return [kernel](const Attributes& a, std::span<const Tensor> in, std::span<const Tensor> out) {
      Attributes unscaled = a;
      if (a.scheme == "sqrt_dk") unscaled.scheme = "none";
      kernel(unscaled, in, out);
    };
  };
  return {
      .statement = "The scores are not divided by √d_k, forward and backward alike",
      .fact = "standard deviation √d_k at the start; no gradient check sees it, training does",
      .refuted_by = {"training.unscaled_slower", "training.qk_norm_needs_sqrt_dk", "training.drift",
                     "training.absorbed_matches"},
      .plant =
          [drop](const Subject& subject) {
            return subject.with("", "scores", Pass::forward, drop)
                .with("training.scale_dropped", "scores", Pass::backward, drop);
          },
  };
}

}  // namespace rootdk::defects::training::scale_dropped
