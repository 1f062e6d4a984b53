#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/last_term.hpp>

namespace rootdk::defects::numbers::scores_last_term_dropped {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The product stops one short of the end, where there are two terms or more",
      .fact = "variance (d_k − 1)/d_k of what it should be, half at d_k = 2",
      .refuted_by = {"scores.variance", "scores.correlated", "scores.general_variance"},
      .plant =
          [](const Subject& subject) {
            return last_term_dropped(subject, "scores_last_term_dropped", "scores", 3);
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_last_term_dropped
