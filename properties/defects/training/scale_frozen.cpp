#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::training::scale_frozen {

Defect defect() {
  return {
      .statement = "The learnable scale is used but gets no gradient",
      .fact = "α keeps its first value for ever; the weights still learn around it",
      .refuted_by = {"training.alpha_adjusts", "training.alpha_early"},
      .plant =
          [](const Subject& subject) {
            return subject.with("training.scale_frozen", "scores", Pass::backward,
                                [](Kernel kernel) -> Kernel {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    if (out.size() > 2) fill(out[2], 0);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::training::scale_frozen
