#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::numbers::linear_negated {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The output has the wrong sign",
      .fact = "no law of a symmetric output sees it: means and the adjoint do",
      .refuted_by = {"linear.product_variance_general", "linear.backward_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_negated", "linear", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                multiply(out[0], -1);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_negated
