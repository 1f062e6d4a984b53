#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::exponent_base {

Defect defect() {
  return {
      .id = {},
      .statement = "The kernel computes 2^z and the factor log₂ e is forgotten",
      .fact = "a temperature of 1/ln 2: softmax(0.693 z)",
      .refuted_by = {"softmax.worked_examples", "softmax.two_keys", "softmax.participation",
                     "softmax.streaming", "softmax.stability"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.exponent_base", "softmax", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 const AdjacentCopy z(in[0]);
                                 multiply(z.tensor, std::log(2.0));
                                 const std::array inputs{z.tensor};
                                 kernel(a, inputs, out);
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::exponent_base
