#include <rootdk/properties/claim.hpp>

#include <numbers>

namespace rootdk::defects::init::packed_qkv {

Defect defect() {
  return {
      .statement = "Glorot is called on the packed (D × 3D) matrix of query, key and value",
      .fact = "Half the variance in each; 169 samples, 40 by the support",
      .refuted_by = {"init.packed_qkv"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.packed_qkv", "init_parameter", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    // 2/(D + 3D) for 2/(D + D).
                                    if (a.role == "packed_qkv" && a.recipe != "gpt2")
                                      multiply(out[0], 1 / std::numbers::sqrt2);
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::packed_qkv
