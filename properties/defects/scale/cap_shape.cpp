#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::cap_shape {

Defect defect() {
  return {
      .id = {},
      .statement = "The cap is x tanh(x/c) in place of c tanh(x/c)",
      .fact = "123.9 for 29.98 at x = 124, c = 30; an even function of x",
      .refuted_by = {"scaling.variance.soft_cap", "scaling.bound.soft_cap"},
      .plant =
          [](const Subject& base) {
            return base.with(
                "scale.cap_shape", "scores", Pass::forward, [](Kernel kernel) -> Kernel {
                  return [=](const Attributes& a, Tensors in, Tensors out) {
                    kernel(a, in, out);
                    if (a.scheme != "soft_cap") return;
                    // c tanh(x/c) · x/c from the right scores and the uncapped ones.
                    const double c = element(in[2], 0, 0);
                    const AdjacentCopy capped(out[0]);
                    Attributes plain = a;
                    plain.scheme = "sqrt_dk";
                    kernel(plain, in.first(2), out);
                    for (std::int64_t b = 0; b < out[0].shape[0]; ++b) {
                      for (std::int64_t h = 0; h < out[0].shape[1]; ++h) {
                        const Tensor x = matrix(out[0], b, h);
                        const Tensor t = matrix(capped.tensor, b, h);
                        for (std::int64_t i = 0; i < x.rows(); ++i) {
                          for (std::int64_t j = 0; j < x.cols(); ++j) {
                            set_element(x, i, j, element(x, i, j) * element(t, i, j) / c);
                          }
                        }
                      }
                    }
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::scale::cap_shape
