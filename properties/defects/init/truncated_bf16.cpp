#include <rootdk/lib/init/rules.hpp>
#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/stats/distributions.hpp>

#include <cmath>

namespace rootdk::defects::init::truncated_bf16 {
namespace {

/// Quantile of N(0, sd²) at k/256; k = 0 gives −∞, which becomes the bound.
void draw(const Tensor& w, std::uint64_t seed, double sd) {
  constexpr double bound = 2;
  Stream stream(seed);
  for (std::int64_t i = 0; i < w.rows(); ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) {
      const double u = static_cast<double>(stream() >> 56U) / 256;
      set_element(w, i, j, u > 0 ? sd * stats::normal_upper_quantile(1 - u) : -bound);
    }
  }
}

}  // namespace

Defect defect() {
  return {
      .statement =
          "The inverse cdf of a truncated normal law is fed uniforms of 8 bits and clamps what is "
          "infinite to absolute bounds ±2",
      .fact = "0.4 % of the weights on the bound; standard deviation 0.127 for 0.01",
      .refuted_by = {"init.law.lecun_truncated", "init.truncated.correction"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.truncated_bf16", "init", Pass::forward, [](Kernel kernel) {
              return [kernel](const Attributes& attributes, std::span<const Tensor> in,
                              std::span<const Tensor> out) {
                Attributes a = attributes;
                if (initialiser(a.initialiser).law != EntryLaw::truncated_normal)
                  return kernel(a, in, out);
                const double fan_in = a.fan_in > 0 ? a.fan_in : static_cast<double>(out[0].rows());
                draw(out[0], a.seed, a.gain / std::sqrt(fan_in));
              };
            });
          },
  };
}

}  // namespace rootdk::defects::init::truncated_bf16
