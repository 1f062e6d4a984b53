#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::numbers::linear_root_fan {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The layer itself divides its output by √n_in, though the initialiser has already done "
          "it",
      .fact = "variance 1/n_in of what it should be; invisible at n_in = 1",
      .refuted_by = {"linear.output_variance", "linear.unit_weights_amplify", "linear.depth_gain",
                     "linear.fan_orientation", "linear.explosion", "linear.collapse",
                     "linear.overflow_layer"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_root_fan", "linear", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                multiply(out[0], 1 / std::sqrt(static_cast<double>(in[0].cols())));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_root_fan
