#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::norm_unused {

Defect defect() {
  return {
      .id = {},
      .statement =
          "The normalisation of Q and K is created but never applied, nor is the learnable scale",
      .fact = "the gradient of their parameters is identically 0; the scores have no bound",
      .refuted_by = {"scaling.bound.qk_rms_norm", "scaling.bound.qk_layer_norm",
                     "scaling.bound.cosine", "scaling.scale_invariance", "scaling.qk_norm_robust",
                     "scaling.parameters_matter"},
      .plant =
          [](const Subject& base) {
            return replace(base, "scale.norm_unused", [](const Attributes& a) -> std::string_view {
              if (a.scheme == "qk_rms_norm" || a.scheme == "learnable") return "none";
              const bool normed = scheme(a.scheme).rows != RowNorm::none;
              return normed ? "sqrt_dk" : "";
            });
          },
  };
}

}  // namespace rootdk::defects::scale::norm_unused
