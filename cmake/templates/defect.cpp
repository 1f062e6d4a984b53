#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::@SCOPE@ {

Defect defect() {
  return {
      .id = {},
      .statement = "Not yet stated",
      .fact = "not yet stated",
      .refuted_by = {},
      .plant =
          [](const Subject& base) {
            return base.with("@ID@", "scores", Pass::forward, [](const Kernel& kernel) -> Kernel {
              return [kernel](const Attributes& a, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                kernel(a, in, out);
                // The fault goes here, as multiply(out[0], 1.5); until then no claim can see it.
              };
            });
          },
  };
}

}  // namespace rootdk::defects::@SCOPE@
