#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::sigmoid_overflow {
namespace {

Kernel wrap(const Kernel&) {
  return [](const Attributes&, Tensors in, Tensors out) {
    for_each_element(out[0], [&](auto i, auto j) {
      const double x = element(in[0], i, j);
      if (out[0].dtype == Dtype::f64) {
        set_element(out[0], i, j, std::exp(x) / (1 + std::exp(x)));
      } else {
        const float e = std::exp(static_cast<float>(x));
        set_element(out[0], i, j, e / (1 + e));
      }
    });
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the sigmoid is computed as exp(x)/(1 + exp(x)) at both ends",
      .fact = "NaN from x = 89 on in float",
      .refuted_by = {"activation.extremes"},
      .plant =
          [](const Subject& subject) { return subject.with("", "sigmoid", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::sigmoid_overflow
