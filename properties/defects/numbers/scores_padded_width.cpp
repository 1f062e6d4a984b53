#include <rootdk/properties/claim.hpp>

#include <bit>
#include <cmath>

namespace rootdk::defects::numbers::scores_padded_width {

Defect defect() {
  return Defect{
      .id = {},
      .statement = "Where √d_k is asked for, d_k is the width after padding to a power of two",
      .fact = "variance d_k over the next power of two: .53 at 17; invisible at powers of two",
      .refuted_by = {"scores.scaled_variance", "scores.exponent", "scores.drift"},
      .plant =
          [](const Subject& subject) {
            return subject.with("scores_padded_width", "scores", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                kernel(attributes, in, out);
                if (attributes.scheme != "sqrt_dk") return;
                const auto width = static_cast<std::uint64_t>(in[0].cols());
                multiply(out[0], std::sqrt(static_cast<double>(width) /
                                           static_cast<double>(std::bit_ceil(width))));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::scores_padded_width
