#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::silu_slope_truncated {
namespace {

double slope(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

Defect defect() {
  return {
      .statement = "SiLU's backward pass keeps σ(x) and forgets x σ′(x)",
      .fact = "a slope between 0 and 1 that is never negative",
      .refuted_by = {"activation.silu_derivative", "activation.slope_moment.silu"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "silu", Pass::backward,
                                [](const Kernel&) { return with_slope(slope); });
          },
  };
}

}  // namespace rootdk::defects::numbers::silu_slope_truncated
