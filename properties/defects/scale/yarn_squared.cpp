#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::yarn_squared {

Defect defect() {
  return {
      .id = {},
      .statement = "The temperature of YaRN is applied twice: to the vectors and to the scores",
      .fact = "on the scores 2.2058 → 4.8656 at factor 128; invisible with one key",
      .refuted_by = {"scaling.variance.yarn"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.yarn_squared", "scores", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 kernel(a, in, out);
                                 if (a.scheme != "yarn") return;
                                 const double t = 0.1 * std::log(element(in[2], 0, 0)) + 1;
                                 multiply(out[0], t * t);
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::yarn_squared
