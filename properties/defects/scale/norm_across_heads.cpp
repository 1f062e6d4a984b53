#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::norm_across_heads {
namespace {

/// Rows as a norm over all heads at once leaves them, up to a factor of each row.
void share_norm(const Tensor& x) {
  const auto width = static_cast<double>(x.cols());
  for (std::int64_t b = 0; b < x.shape[0]; ++b) {
    for (std::int64_t i = 0; i < x.rows(); ++i) {
      double squares = 0;
      for (std::int64_t h = 0; h < x.shape[1]; ++h) {
        for (std::int64_t j = 0; j < x.cols(); ++j) {
          const double value = element(matrix(x, b, h), i, j);
          squares += value * value;
        }
      }
      const double rms = std::sqrt(squares / (width * static_cast<double>(x.shape[1])));
      for (std::int64_t h = 0; h < x.shape[1]; ++h) {
        const Tensor head = matrix(x, b, h);
        for (std::int64_t j = 0; j < x.cols(); ++j) {
          set_element(head, i, j, element(head, i, j) / rms);
        }
      }
    }
  }
}

}  // namespace

Defect defect() {
  return {
      .id = {},
      .statement = "Queries and keys are normalised over all heads at once",
      .fact = "a head's mean square is not 1 where heads are of unlike size",
      .refuted_by = {"scaling.bound.qk_rms_norm", "scaling.bound.qk_rms_norm_sqrt_dk"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.norm_across_heads", "scores", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 const bool divided = a.scheme == "qk_rms_norm_sqrt_dk";
                                 if (!divided && a.scheme != "qk_rms_norm")
                                   return kernel(a, in, out);
                                 const AdjacentCopy q(in[0]);
                                 const AdjacentCopy k(in[1]);
                                 share_norm(q.tensor);
                                 share_norm(k.tensor);
                                 Attributes plain = a;
                                 plain.scheme = divided ? "sqrt_dk" : "none";
                                 const std::array inputs{q.tensor, k.tensor};
                                 kernel(plain, inputs, out);
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::norm_across_heads
