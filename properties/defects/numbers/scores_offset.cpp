#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

namespace rootdk::defects::numbers::scores_offset {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "A constant 1 is added to every score",
      .fact = "shifts no softmax, but every mean: 1/√d_k standard deviations",
      .refuted_by = {"scores.mean", "scores.general_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_offset", "scores", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                transform(out[0], [](double s) { return s + 1; });
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_offset
