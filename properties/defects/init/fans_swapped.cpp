#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::init::fans_swapped {

Defect defect() {
  return {
      .statement = "fan_in and fan_out are exchanged, as with transposed storage",
      .fact = "Variance × n_in/n_out; invisible for square layers and for Glorot",
      .refuted_by = {"init.law.lecun_normal", "init.law.lecun_uniform", "init.law.lecun_truncated",
                     "init.law.he_normal", "init.lecun.forward", "init.lecun.backward"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.fans_swapped", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                const double fan_in = a.fan_in > 0 ? a.fan_in : static_cast<double>(out[0].rows());
                const double fan_out =
                    a.fan_out > 0 ? a.fan_out : static_cast<double>(out[0].cols());
                a.fan_in = fan_out;
                a.fan_out = fan_in;
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::fans_swapped
