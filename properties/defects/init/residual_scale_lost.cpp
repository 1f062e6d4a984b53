#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::residual_scale_lost {

Defect defect() {
  return {
      .statement =
          "The factor 1/√(2N) of residual projections is never applied in the built model, since a "
          "comparison of names never holds",
      .fact =
          "Standard deviation .020 for .00408 at N = 12, variance × 24; 22 samples. A test of the "
          "initialiser alone passes",
      .refuted_by = {"init.gpt2_residual"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "init.residual_scale_lost", "init_parameter", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    kernel(a, in, out);
                    const bool residual = a.role == "attention_output" || a.role == "mlp_out";
                    if (a.recipe == "gpt2" && residual) multiply(out[0], std::sqrt(2 * a.branches));
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::init::residual_scale_lost
