#include <rootdk/properties/claim.hpp>

#include <cstddef>

namespace rootdk::defects::init::truncated_float_outlier {
namespace {

unsigned significand(Dtype dtype) {
  return dtype == Dtype::f64 ? 53 : dtype == Dtype::f32 ? 24 : dtype == Dtype::f16 ? 11 : 8;
}

}  // namespace

Defect defect() {
  return {
      .statement =
          "The limits of a truncated normal cdf round to 0 and 1 in float, and the infinite "
          "quantile at 0 is clamped to the bound",
      .fact =
          "Two values of −2.0 among 67 million weights of standard deviation .002: kurtosis "
          "28,000, while mean, variance and KS pass; found by feeding the transform its end points",
      .refuted_by = {"init.endpoints"},
      .plant =
          [](const Subject& subject) {
            return subject.with("init.truncated_float_outlier", "truncated_transform",
                                Pass::forward, [](Kernel kernel) {
                                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                                  std::span<const Tensor> out) {
                                    kernel(a, in, out);
                                    // The lowest cell of the grid, once in 2^24 floats.
                                    const unsigned skipped = 64 - significand(out[0].dtype);
                                    for (std::size_t j = 0; j < a.words.size(); ++j) {
                                      if (a.words[j] >> skipped == 0)
                                        set_element(out[0], 0, static_cast<std::int64_t>(j), -2.0);
                                    }
                                  };
                                });
          },
  };
}

}  // namespace rootdk::defects::init::truncated_float_outlier
