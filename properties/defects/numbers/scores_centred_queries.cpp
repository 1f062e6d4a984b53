#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

#include <vector>

namespace rootdk::defects::numbers::scores_centred_queries {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "The mean of each query is taken off first",
      .fact = "one degree of freedom less, and no mean of the scores; at d_k = 1 all scores are 0",
      .refuted_by = {"scores.general_variance", "scores.variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "scores_centred_queries", "scores", Pass::forward, [](Kernel kernel) {
                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                      std::span<const Tensor> in,
                                                      std::span<const Tensor> out) {
                    Workspace workspace;
                    std::vector<Tensor> centred(in.begin(), in.end());
                    centred[0] = copied(workspace, in[0]);
                    for (std::int64_t i = 0; i < in[0].rows(); ++i) {
                      double sum = 0;
                      for (std::int64_t c = 0; c < in[0].cols(); ++c) sum += element(in[0], i, c);
                      for (std::int64_t c = 0; c < in[0].cols(); ++c) {
                        set_element(centred[0], i, c,
                                    element(in[0], i, c) - sum / static_cast<double>(in[0].cols()));
                      }
                    }
                    kernel(attributes, centred, out);
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_centred_queries
