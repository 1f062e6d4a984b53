#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::numbers::linear_weight_gradient_row_missing {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The last row of dW is never written and stays zero",
      .fact = "‖dW‖² falls by the share of the last input; dx is right",
      .refuted_by = {"linear.weight_gradient"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_weight_gradient_row_missing", "linear", Pass::backward,
                                [](Kernel kernel) {
                                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                                      std::span<const Tensor> in,
                                                                      std::span<const Tensor> out) {
                                    kernel(attributes, in, out);
                                    for (std::int64_t j = 0; j < out[1].cols(); ++j)
                                      set_element(out[1], out[1].rows() - 1, j, 0);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_weight_gradient_row_missing
