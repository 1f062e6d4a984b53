#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::relu_open {
namespace {

double slope(double) { return 1; }

}  // namespace

Defect defect() {
  return {
      .statement = "ReLU's backward pass lets every gradient through",
      .fact = "mean square slope 1 for ½",
      .refuted_by = {"activation.relu_half", "activation.slope_moment.relu", "activation.extremes"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "relu", Pass::backward,
                                [](const Kernel&) { return with_slope(slope); });
          },
  };
}

}  // namespace rootdk::defects::numbers::relu_open
