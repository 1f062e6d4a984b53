#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::numbers::linear_fans_swapped {

Defect defect() {
  return Defect{
      .id = {},
      .statement =
          "The initialiser takes the columns of W for its fan_in: the matrix is thought stored the "
          "other way round",
      .fact = "forward gain n_in/n_out; invisible for square matrices",
      .refuted_by = {"linear.fan_orientation"},
      .plant =
          [](const Subject& subject) {
            return subject.with("linear_fans_swapped", "init", Pass::forward, [](Kernel kernel) {
              return [kernel = std::move(kernel)](const Attributes& attributes,
                                                  std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                Attributes swapped = attributes;
                const auto side = [](double given, std::int64_t length) {
                  return given > 0 ? given : static_cast<double>(length);
                };
                swapped.fan_in = side(attributes.fan_out, out[0].cols());
                swapped.fan_out = side(attributes.fan_in, out[0].rows());
                kernel(swapped, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::numbers::linear_fans_swapped
