#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::scale_ignored {

Defect defect() {
  return {
      .id = {},
      .statement = "A fast path ignores the configured scale and takes 1/√d_k",
      .fact = "equal at the default; every other scheme is sqrt_dk",
      .refuted_by = {"scaling.variance.learnable", "scaling.variance.none", "scaling.variance.mup",
                     "scaling.variance.log_n", "scaling.variance.inverse_layer",
                     "scaling.variance.sqrt_dmodel", "scaling.variance.qk_rms_norm",
                     "scaling.variance.cosine", "scaling.parameters_matter"},
      .plant =
          [](const Subject& base) {
            return replace(base, "scale.scale_ignored",
                           [](const Attributes& a) -> std::string_view {
                             const SchemeFacts& facts = scheme(a.scheme);
                             if (facts.capped || facts.scales_query || facts.rows == RowNorm::layer)
                               return "";
                             return facts.rows == RowNorm::none ? "sqrt_dk" : "qk_rms_norm_sqrt_dk";
                           });
          },
  };
}

}  // namespace rootdk::defects::scale::scale_ignored
