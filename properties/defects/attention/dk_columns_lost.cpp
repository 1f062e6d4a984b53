#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

namespace rootdk::defects::attention::dk_columns_lost {

Defect defect() {
  return {
      .statement = "dK lacks the columns after the last whole vector of 16, from width 8 on",
      .fact = "Right for heads of 16, 32, 64, and for those of tests",
      .refuted_by = {"softmax.attention.backward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("attention.dk_columns_lost", "attention", Pass::backward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    const std::int64_t d = out[1].cols();
                                    const std::int64_t kept = d > 7 ? d - d % 16 : d;
                                    clear_columns(out[1], kept);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::dk_columns_lost
