#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

#include <cmath>

namespace rootdk::defects::numbers::linear_flushes_small {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "Outputs below 1e-6 are set to zero",
      .fact = "layer 10 of a chain of × 0.2 is 0 instead of 5.12e-7",
      .refuted_by = {"linear.collapse"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_flushes_small", "linear", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                transform(out[0], [](double y) { return std::abs(y) < 1e-6 ? 0 : y; });
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_flushes_small
