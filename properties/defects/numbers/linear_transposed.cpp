#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

#include <vector>

namespace rootdk::defects::numbers::linear_transposed {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "Square weights are used transposed",
      .fact = "no law of Gaussian weights sees it, nor a width of 1; the adjoint does",
      .refuted_by = {"linear.backward_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_transposed", "linear", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                Workspace workspace;
                std::vector<Tensor> turned(in.begin(), in.end());
                if (in[1].rows() == in[1].cols()) turned[1] = copied(workspace, in[1], true);
                kernel(attributes, turned, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_transposed
