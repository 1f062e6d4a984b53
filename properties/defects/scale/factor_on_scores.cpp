#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::factor_on_scores {

Defect defect() {
  return {
      .id = {},
      .statement = "Equivalent form: s(QKᵀ)",
      .fact = "the same function in float and double: no claim may refute it",
      .refuted_by = {},
      .plant =
          [](const Subject& base) {
            return base.with("scale.factor_on_scores", "scores", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 if (a.scheme != "sqrt_dk" || !same_function(out[0]))
                                   return kernel(a, in, out);
                                 Attributes plain = a;
                                 plain.scheme = "none";
                                 kernel(plain, in, out);
                                 multiply(out[0], 1 / root_of_width(in[0]));
                               };
                             });
          },
      .equivalent = true,
  };
}

}  // namespace rootdk::defects::scale::factor_on_scores
