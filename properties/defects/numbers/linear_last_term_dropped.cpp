#include <rootdk/properties/claim.hpp>

#include <vector>

namespace rootdk::defects::numbers::linear_last_term_dropped {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The sum over the inputs stops one short of the end, where there are two or more",
      .fact = "variance × (n_in − 1)/n_in: half at n_in = 2, 1.6 % less at 64",
      .refuted_by = {"linear.output_variance", "linear.unit_weights_amplify", "linear.depth_gain",
                     "linear.explosion"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_last_term_dropped", "linear", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                                      std::span<const Tensor> in,
                                                                      std::span<const Tensor> out) {
                                    std::vector<Tensor> shorter(in.begin(), in.end());
                                    if (in[0].cols() > 1) {
                                      --shorter[0].shape[3];
                                      --shorter[1].shape[2];
                                    }
                                    kernel(attributes, shorter, out);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_last_term_dropped
