#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::numbers::scores_rounded_scale {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "Where √d_k is asked for, it is a constant written with two digits: 5.66 for √32",
      .fact = "relative error 5e-4 at most, and none at d_k = 64: far below what any law sees",
      .refuted_by = {"scores.std_table"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_rounded_scale", "scores", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                if (attributes.scheme != "sqrt_dk") return;
                const double root = std::sqrt(static_cast<double>(in[0].cols()));
                multiply(out[0], root / (std::round(100 * root) / 100));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_rounded_scale
