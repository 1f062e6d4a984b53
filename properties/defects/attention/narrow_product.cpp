#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <vector>

namespace rootdk::defects::attention::narrow_product {

Defect defect() {
  return {
      .statement = "The product QKᵀ stops at 64 columns",
      .fact = "A kernel for heads of 64, used for wider ones",
      .refuted_by = {"softmax.attention.forward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("attention.narrow_product", "attention", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    std::vector<Tensor> narrow(in.begin(), in.end());
                                    const auto d = static_cast<double>(in[0].cols());
                                    for (Tensor* t : {&narrow[0], &narrow[1]}) {
                                      t->shape[3] = std::min<std::int64_t>(t->shape[3], 64);
                                    }
                                    Attributes scaled = a;
                                    if (d > 64 && a.scheme == "sqrt_dk") {
                                      // The factor stays that of the whole width: 1/√d is 1/√(heads · d_k) of d_model = d.
                                      scaled.scheme = "sqrt_dmodel";
                                      scaled.d_model = in[0].cols();
                                    }
                                    kernel(scaled, narrow, out);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::narrow_product
