#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_missing {

Defect defect() {
  return {
      .id = {},
      .statement = "A path without the division by √d_k",
      .fact = "variance d_k",
      .refuted_by = {"scaling.variance.sqrt_dk", "scores.scaled_variance",
                     "scaling.variance.qk_rms_norm_sqrt_dk", "scaling.variance.qk_layer_norm"},
      .plant =
          [](const Subject& base) {
            const Subject faulty =
                replace(base, "scale.scale_missing", [](const Attributes& a) -> std::string_view {
                  if (a.scheme == "sqrt_dk") return "none";
                  const bool rms = a.scheme == "qk_rms_norm_sqrt_dk";
                  return rms ? "qk_rms_norm" : "";
                });
            return faulty.with(faulty.name(), "scores", Pass::forward, [](Kernel kernel) -> Kernel {
              return [=](const Attributes& a, Tensors in, Tensors out) {
                kernel(a, in, out);
                if (a.scheme == "qk_layer_norm") multiply(out[0], root_of_width(in[0]));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_missing
