#include <rootdk/properties/claim.hpp>

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
                                    for (std::int64_t b = 0; b < out[2].shape[0]; ++b) {
                                      for (std::int64_t h = 0; h < out[2].shape[1]; ++h) {
                                        const Tensor one = matrix(out[2], b, h);
                                        for (std::int64_t i = 8; i < one.rows(); ++i) {
                                          for (std::int64_t c = 0; c < one.cols(); ++c)
                                            set_element(one, i, c, 0);
                                        }
                                      }
                                    }
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::dv_rows_lost
