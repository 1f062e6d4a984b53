#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/parts.hpp>

#include <cmath>

namespace rootdk::defects::init::one_head_fan {

Defect defect() {
  return {
      .statement = "The fan_out of the query is that of one head instead of all",
      .fact = "Standard deviation × 4/3 at 8 heads",
      .refuted_by = {"init.packed_qkv"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "init.one_head_fan", "init_parameter", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    kernel(a, in, out);
                    if (a.recipe == "gpt2") return;
                    // 2/(D + D/h) for 2/(D + D).
                    const double factor = std::sqrt(2 / (1 + 1 / static_cast<double>(a.heads)));
                    if (a.role == "query") multiply(out[0], factor);
                    if (a.role == "packed_qkv") multiply(columns(out[0], 0, a.d_model), factor);
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::init::one_head_fan
