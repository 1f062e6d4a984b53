#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::numbers::linear_backward_root_fan {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The backward pass divides dx by √n_out, as if to keep the variance of unit weights",
      .fact = "variance 1/n_out of what it should be; invisible at n_out = 1",
      .refuted_by = {"linear.backward_variance", "linear.weight_gradient",
                     "linear.fan_orientation"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "linear_backward_root_fan", "linear", Pass::backward, [](Kernel kernel) {
                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                      std::span<const Tensor> in,
                                                      std::span<const Tensor> out) {
                    kernel(attributes, in, out);
                    multiply(out[0], 1 / std::sqrt(static_cast<double>(in[1].cols())));
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_backward_root_fan
