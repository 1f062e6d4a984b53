#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::shard_fan {

Defect defect() {
  return {
      .statement = "The fan is taken from a shard of a tensor-parallel matrix",
      .fact = "Standard deviation .0435 for .0220 at 4 shards",
      .refuted_by = {"init.packed_qkv"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.shard_fan", "init_parameter", Pass::forward,
                                [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    // 1/(D/s) for 1/D.
                                    if (a.role == "head")
                                      multiply(out[0], std::sqrt(static_cast<double>(a.shards)));
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::shard_fan
