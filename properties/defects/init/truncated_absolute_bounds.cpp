#include <rootdk/lib/init/rules.hpp>
#include <rootdk/lib/random/draws.hpp>
#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::defects::init::truncated_absolute_bounds {
namespace {

/// N(0, sd²), drawn again while |w| ≥ 2.
void draw(const Tensor& w, std::uint64_t seed, double sd) {
  Stream stream(seed);
  for (std::int64_t i = 0; i < w.rows(); ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) {
      double value = 0;
      do {
        fill_normal<double>(stream, {&value, 1}, 0, sd);
      } while (!(std::abs(value) < 2));
      set_element(w, i, j, value);
    }
  }
}

}  // namespace

Defect defect() {
  return {
      .statement = "A truncated normal law is cut at ±2 where ±2 standard deviations are meant",
      .fact =
          "No truncation at all at a standard deviation of 0.02; 594 samples by the support, 297 "
          "where the cut lies at 2 target deviations",
      .refuted_by = {"init.law.lecun_truncated", "init.truncated.correction"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "init.truncated_absolute_bounds", "init", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    Attributes a = attributes;
                    if (initialiser(a.initialiser).law != EntryLaw::truncated_normal)
                      return kernel(a, in, out);
                    const double fan_in =
                        a.fan_in > 0 ? a.fan_in : static_cast<double>(out[0].rows());
                    draw(out[0], a.seed, a.gain / std::sqrt(fan_in));
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::init::truncated_absolute_bounds
