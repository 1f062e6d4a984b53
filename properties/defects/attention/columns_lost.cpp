#include <rootdk/properties/claim.hpp>

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
                                    for (std::int64_t b = 0; b < out[0].shape[0]; ++b) {
                                      for (std::int64_t h = 0; h < out[0].shape[1]; ++h) {
                                        const Tensor one = matrix(out[0], b, h);
                                        for (std::int64_t i = 0; i < one.rows(); ++i) {
                                          for (std::int64_t c = 8; c < one.cols(); ++c)
                                            set_element(one, i, c, 0);
                                        }
                                      }
                                    }
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::columns_lost
