#include <rootdk/properties/claim.hpp>

#include <vector>

namespace rootdk::defects::numbers::scores_last_term_dropped {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The product stops one short of the end, where there are two terms or more",
      .fact = "variance (d_k − 1)/d_k of what it should be, half at d_k = 2",
      .refuted_by = {"scores.variance", "scores.correlated", "scores.general_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_last_term_dropped", "scores", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                                      std::span<const Tensor> in,
                                                                      std::span<const Tensor> out) {
                                    std::vector<Tensor> shorter(in.begin(), in.end());
                                    if (in[0].cols() > 1) {
                                      --shorter[0].shape[3];
                                      --shorter[1].shape[3];
                                    }
                                    kernel(attributes, shorter, out);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_last_term_dropped
