#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::softmax_unshifted {
namespace {

void unshifted(const Tensor& z, const Tensor& p) {
  for (std::int64_t i = 0; i < z.rows(); ++i) {
    for (std::int64_t j = 0; j < z.cols(); ++j) set_element(p, i, j, std::exp(element(z, i, j)));
    double sum = 0;
    for (std::int64_t j = 0; j < z.cols(); ++j) sum += element(p, i, j);
    for (std::int64_t j = 0; j < z.cols(); ++j) set_element(p, i, j, element(p, i, j) / sum);
  }
}

}  // namespace

Defect defect() {
  return {
      .id = {},
      .statement = "exp(z)/Σ exp(z) without subtracting the largest logit",
      .fact = "NaN once a logit exceeds 88 in float, 709 in double",
      .refuted_by = {"softmax.stability", "softmax.shift"},
      .plant =
          [](const Subject& base) {
            return base.with(
                "scale.softmax_unshifted", "softmax", Pass::forward, [](Kernel) -> Kernel {
                  return
                      [](const Attributes&, Tensors in, Tensors out) { unshifted(in[0], out[0]); };
                });
          },
  };
}

}  // namespace rootdk::defects::scale::softmax_unshifted
