#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

#include <array>
#include <vector>

namespace rootdk::defects::attention::late_causal_leak {

Defect defect() {
  return {
      .statement =
          "With more than 12 queries each but the last sees one key too many under a causal mask",
      .fact = "Right for one tile of queries",
      .refuted_by = {"softmax.attention.forward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("attention.late_causal_leak", "attention", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    const std::int64_t n = in[0].rows();
                                    if (!a.causal || n <= 12) return kernel(a, in, out);
                                    // One query less is aligned one key further; the last one then by itself.
                                    std::vector<Tensor> inputs(in.begin(), in.end());
                                    inputs[0] = rows(in[0], 0, n - 1);
                                    kernel(a, inputs, std::array{rows(out[0], 0, n - 1)});
                                    inputs[0] = rows(in[0], n - 1, 1);
                                    kernel(a, inputs, std::array{rows(out[0], n - 1, 1)});
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::attention::late_causal_leak
