#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_after_softmax {

Defect defect() {
  return {
      .id = {},
      .statement = "softmax(QKᵀ)/√d_k in place of softmax(QKᵀ/√d_k)",
      .fact = "the rows do not sum to 1",
      .refuted_by = {"softmax.stability"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.scale_after_softmax", "attention", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 if (a.scheme != "sqrt_dk") return kernel(a, in, out);
                                 Attributes plain = a;
                                 plain.scheme = "none";
                                 kernel(plain, in, out);
                                 multiply(out[0], 1 / root_of_width(in[0]));
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_after_softmax
