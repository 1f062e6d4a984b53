#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::init::same_seed {

Defect defect() {
  return {
      .statement = "Every layer is seeded alike, or is a clone of the first",
      .fact = "Marginals perfect, the joint law wrong",
      .refuted_by = {"init.independence"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.same_seed", "init_parameter", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    Attributes first = a;
                                    first.layer = 0;
                                    kernel(first, in, out);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::same_seed
