#include <rootdk/properties/claim.hpp>

#include <array>
#include <cstddef>
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
            return subject.with(
                "attention.late_causal_leak", "attention", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    const std::int64_t n = in[0].rows();
                    if (!a.causal || n <= 12) return kernel(a, in, out);
                    // One query less is aligned one key further; the last one then by itself.
                    std::vector<Tensor> queries(in.begin(), in.end());
                    std::array<Tensor, 1> rows{out[0]};
                    --queries[0].shape[2];
                    --rows[0].shape[2];
                    kernel(a, queries, rows);
                    for (std::int64_t b = 0; b < in[0].shape[0]; ++b) {
                      for (std::int64_t h = 0; h < in[0].shape[1]; ++h) {
                        queries = {matrix(in[0], b, h), matrix(in[1], b, h), matrix(in[2], b, h)};
                        rows = {matrix(out[0], b, h)};
                        for (Tensor* last : {&queries[0], &rows[0]}) {
                          last->data = static_cast<std::byte*>(last->data) +
                                       static_cast<std::size_t>((n - 1) * last->cols()) *
                                           size_of(last->dtype);
                          last->shape[2] = 1;
                        }
                        Attributes one = a;
                        if (!a.key_lengths.empty()) {
                          one.key_lengths = a.key_lengths.subspan(static_cast<std::size_t>(b), 1);
                        }
                        kernel(one, queries, rows);
                      }
                    }
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::attention::late_causal_leak
