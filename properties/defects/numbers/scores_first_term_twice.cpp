#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::numbers::scores_first_term_twice {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The sum starts from its first term and adds it again",
      .fact = "variance (d_k + 3)/d_k of what it should be: four times at d_k = 1",
      .refuted_by = {"scores.range", "scores.conditional_law", "scores.variance",
                     "scores.correlated"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "scores_first_term_twice", "scores", Pass::forward, [](Kernel kernel) {
                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                      std::span<const Tensor> in,
                                                      std::span<const Tensor> out) {
                    kernel(attributes, in, out);
                    for (std::int64_t i = 0; i < out[0].rows(); ++i) {
                      for (std::int64_t j = 0; j < out[0].cols(); ++j) {
                        set_element(
                            out[0], i, j,
                            element(out[0], i, j) + element(in[0], i, 0) * element(in[1], j, 0));
                      }
                    }
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_first_term_twice
