#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <numbers>

namespace rootdk::defects::init::std_as_half_width {

Defect defect() {
  return {
      .statement = "The standard deviation is passed as the half-width of the uniform law",
      .fact = "A third of the variance; 75 samples",
      .refuted_by = {"init.law.lecun_uniform", "init.law.glorot_uniform", "init.law.he_uniform",
                     "init.law.pytorch_linear"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.std_as_half_width", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                if (initialiser(a.initialiser).law == EntryLaw::uniform)
                  a.gain /= std::numbers::sqrt3;
                kernel(a, in, out);
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::std_as_half_width
