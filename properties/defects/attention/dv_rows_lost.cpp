#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

namespace rootdk::defects::attention::dv_rows_lost {

Defect defect() {
  return {
      .statement = "dV is 0 for keys from the eighth on",
      .fact = "Exact up to 8 keys",
      .refuted_by = {"softmax.attention.backward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("attention.dv_rows_lost", "attention", Pass::backward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    clear_rows(out[2], 8);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::dv_rows_lost
