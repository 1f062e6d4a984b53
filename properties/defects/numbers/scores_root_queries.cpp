#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::numbers::scores_root_queries {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The scores are divided by √n, n the number of queries, besides any other scale",
      .fact = "variance 1/n of what it should be; invisible with one query",
      .refuted_by = {"scores.variance", "scores.std_table", "scores.scaled_variance",
                     "scores.exponent"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_root_queries", "scores", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                multiply(out[0], 1 / std::sqrt(static_cast<double>(in[0].rows())));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_root_queries
