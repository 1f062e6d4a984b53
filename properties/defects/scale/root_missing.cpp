#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::scale::root_missing {

Defect defect() {
  return {
      .statement = "divides the scores by d_k where √d_k is meant",
      .fact = "variance 1/d_k instead of 1",
      .refuted_by = {"scores.scaled_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "scores", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                kernel(attributes, in, out);
                multiply(out[0], 1 / std::sqrt(static_cast<double>(in[0].cols())));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::scale::root_missing
