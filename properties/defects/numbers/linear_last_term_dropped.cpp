#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/last_term.hpp>

namespace rootdk::defects::numbers::linear_last_term_dropped {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The sum over the inputs stops one short of the end, where there are two or more",
      .fact = "variance × (n_in − 1)/n_in: half at n_in = 2, 1.6 % less at 64",
      .refuted_by = {"linear.output_variance", "linear.unit_weights_amplify", "linear.depth_gain",
                     "linear.explosion"},
      .plant =
          [](const Subject& subject) {
            return last_term_dropped(subject, "linear_last_term_dropped", "linear", 2);
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_last_term_dropped
