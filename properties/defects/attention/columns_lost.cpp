#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

namespace rootdk::defects::attention::columns_lost {

Defect defect() {
  return {
      .statement = "Columns of the output from the eighth on stay 0",
      .fact = "Exact up to values of width 8",
      .refuted_by = {"softmax.attention.forward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("attention.columns_lost", "attention", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    clear_columns(out[0], 8);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::columns_lost
