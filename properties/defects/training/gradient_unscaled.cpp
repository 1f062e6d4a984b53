#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::training::gradient_unscaled {

Defect defect() {
  return {
      .statement = "The backward pass of S = QKᵀ/√d_k forgets the division",
      .fact = "gradients √d_k too long: Adam divides it out again, SGD does not",
      .refuted_by = {"training.absorbed_matches", "training.schemes_learn", "training.drift",
                     "training.unscaled_slower"},
      .plant =
          [](const Subject& subject) {
            return subject.with("training.gradient_unscaled", "scores", Pass::backward,
                                [](Kernel kernel) -> Kernel {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    if (a.scheme != "sqrt_dk") return;
                                    const double root =
                                        std::sqrt(static_cast<double>(in[0].cols()));
                                    multiply(out[0], root);
                                    multiply(out[1], root);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::training::gradient_unscaled
