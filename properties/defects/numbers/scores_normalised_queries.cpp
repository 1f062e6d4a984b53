#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::numbers::scores_normalised_queries {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The queries are normalised to a mean square of 1, which nobody asked for",
      .fact = "the variance of the queries no longer enters, nor the spread of their lengths",
      .refuted_by = {"scores.drift", "scores.conditional_law", "scores.variance",
                     "scores.shared_rows"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "scores_normalised_queries", "scores", Pass::forward, [](Kernel kernel) {
                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                      std::span<const Tensor> in,
                                                      std::span<const Tensor> out) {
                    kernel(attributes, in, out);
                    for (std::int64_t i = 0; i < out[0].rows(); ++i) {
                      double square = 0;
                      for (std::int64_t c = 0; c < in[0].cols(); ++c)
                        square += element(in[0], i, c) * element(in[0], i, c);
                      const double rms = std::sqrt(square / static_cast<double>(in[0].cols()));
                      if (!(rms > 0)) continue;
                      for (std::int64_t j = 0; j < out[0].cols(); ++j)
                        set_element(out[0], i, j, element(out[0], i, j) / rms);
                    }
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_normalised_queries
