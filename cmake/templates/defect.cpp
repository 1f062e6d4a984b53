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
            // The fault goes here; until then no claim can see it.
            return base.with("@ID@", "scores", Pass::forward, [](Kernel kernel) { return kernel; });
          },
  };
}

}  // namespace rootdk::defects::@SCOPE@
