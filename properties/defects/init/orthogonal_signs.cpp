#include <rootdk/properties/claim.hpp>

namespace rootdk::defects::init::orthogonal_signs {

Defect defect() {
  return {
      .statement = "The raw Q of a Householder QR is taken, without the signs of the diagonal of R",
      .fact = "The first entry has a fixed sign; WᵀW = I holds",
      .refuted_by = {"init.orthogonal"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.orthogonal_signs", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& a, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                kernel(a, in, out);
                if (a.initialiser != "orthogonal" || element(out[0], 0, 0) < 0) return;
                // Householder's R has a negative first entry where the Gaussian's is positive.
                for (std::int64_t i = 0; i < out[0].rows(); ++i) {
                  set_element(out[0], i, 0, -element(out[0], i, 0));
                }
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::orthogonal_signs
