#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>

namespace rootdk::defects::init::truncated_clipped {
namespace {

void clip(const Tensor& w, double bound) {
  for (std::int64_t i = 0; i < w.rows(); ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) {
      set_element(w, i, j, std::clamp(element(w, i, j), -bound, bound));
    }
  }
}

}  // namespace

Defect defect() {
  return {
      .statement =
          "A truncated normal law is made by clipping what falls outside instead of drawing it "
          "again",
      .fact = "2.28 % of the mass on each bound; two equal values suffice",
      .refuted_by = {"init.law.lecun_truncated", "init.truncated.correction"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.truncated_clipped", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                if (initialiser(a.initialiser).law != EntryLaw::truncated_normal)
                  return kernel(a, in, out);
                // The parent law, as a normal rule of the same fan.
                a.initialiser = "lecun_normal";
                a.gain /= std::sqrt(truncated_variance(2));
                kernel(a, in, out);
                const double fan_in = a.fan_in > 0 ? a.fan_in : static_cast<double>(out[0].rows());
                clip(out[0], 2 * a.gain / std::sqrt(fan_in));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::truncated_clipped
