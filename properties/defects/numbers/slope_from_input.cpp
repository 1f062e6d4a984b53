#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::slope_from_input {
namespace {

double tanh_slope(double x) { return 1 - x * x; }
double sigmoid_slope(double x) { return x * (1 - x); }

}  // namespace

Defect defect() {
  return {
      .statement = "tanh and sigmoid take their saved input for their output in the backward pass",
      .fact = "1 − x² for 1 − tanh² x: mean square slope 2 for 0.464",
      .refuted_by = {"activation.slope_moment.tanh", "activation.slope_moment.sigmoid"},
      .plant =
          [](const Subject& subject) {
            return subject
                .with("", "tanh", Pass::backward,
                      [](const Kernel&) { return with_slope(tanh_slope); })
                .with("", "sigmoid", Pass::backward,
                      [](const Kernel&) { return with_slope(sigmoid_slope); });
          },
  };
}

}  // namespace rootdk::defects::numbers::slope_from_input
