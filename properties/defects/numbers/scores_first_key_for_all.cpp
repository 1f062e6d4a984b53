#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::numbers::scores_first_key_for_all {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "Every key of a row is the first one",
      .fact = "each score has the right law; all scores of a row are equal",
      .refuted_by = {"scores.shared_rows", "scores.correlated"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_first_key_for_all", "scores", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                                      std::span<const Tensor> in,
                                                                      std::span<const Tensor> out) {
                                    kernel(attributes, in, out);
                                    for (std::int64_t i = 0; i < out[0].rows(); ++i) {
                                      for (std::int64_t j = 1; j < out[0].cols(); ++j)
                                        set_element(out[0], i, j, element(out[0], i, 0));
                                    }
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_first_key_for_all
