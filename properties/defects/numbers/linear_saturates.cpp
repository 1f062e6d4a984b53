#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

#include <cmath>

namespace rootdk::defects::numbers::linear_saturates {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "What exceeds 1e6, or the range of fp16, is clamped to that limit instead of growing on",
      .fact = "hides the explosion: never an infinity",
      .refuted_by = {"linear.overflow_layer", "linear.explosion"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_saturates", "linear", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                const double limit = out[0].dtype == Dtype::f16 ? 65504 : 1e6;
                transform(out[0], [limit](double y) {
                  return std::abs(y) > limit ? std::copysign(limit, y) : y;
                });
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_saturates
