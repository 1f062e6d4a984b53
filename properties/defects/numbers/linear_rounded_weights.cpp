#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/copies.hpp>

#include <cmath>
#include <vector>

namespace rootdk::defects::numbers::linear_rounded_weights {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The weights are rounded to eleven bits on their way in, as by a fast path of reduced "
          "precision",
      .fact =
          "relative error up to 2⁻¹¹: no law sees it at any practical sample size, bounds of "
          "rounding do",
      .refuted_by = {"linear.product_variance", "linear.collapse", "linear.backward_variance"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "linear_rounded_weights", "linear", Pass::forward, [](Kernel kernel) {
                  return [kernel = std::move(kernel)](const Attributes& attributes,
                                                      std::span<const Tensor> in,
                                                      std::span<const Tensor> out) {
                    Workspace workspace;
                    std::vector<Tensor> rounded(in.begin(), in.end());
                    rounded[1] = copied(workspace, in[1]);
                    transform(rounded[1], [](double w) {
                      int exponent = 0;
                      const double significand = std::frexp(w, &exponent);
                      return std::ldexp(std::nearbyint(significand * 0x1p11), exponent - 11);
                    });
                    kernel(attributes, rounded, out);
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_rounded_weights
