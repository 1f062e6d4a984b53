#include <rootdk/properties/claim.hpp>

#include <cstddef>
#include <limits>

namespace rootdk::defects::init::end_point {
namespace {

unsigned significand(Dtype dtype) {
  return dtype == Dtype::f64 ? 53 : dtype == Dtype::f32 ? 24 : dtype == Dtype::f16 ? 11 : 8;
}

}  // namespace

Defect defect() {
  return {
      .statement = "The uniform draw behind a normal one can be exactly 0 or 1",
      .fact = "Infinite once in 2²⁴ draws: cannot be found by sampling",
      .refuted_by = {"init.endpoints"},
      .plant =
          [](const Subject& subject) {
            return subject.with(
                "init.end_point", "normal_transform", Pass::forward, [](Kernel kernel) {
                  return [kernel](const Attributes& a, std::span<const Tensor> in,
                                  std::span<const Tensor> out) {
                    kernel(a, in, out);
                    // A word over 2^64, rounded to the nearest number of the dtype.
                    constexpr double infinity = std::numeric_limits<double>::infinity();
                    const unsigned skipped = 64 - significand(out[0].dtype);
                    for (std::size_t j = 0; j < a.words.size(); ++j) {
                      const auto place = static_cast<std::int64_t>(j);
                      if (a.words[j] == 0) set_element(out[0], 0, place, -infinity);
                      if (~a.words[j] >> skipped == 0) set_element(out[0], 0, place, infinity);
                    }
                  };
                });
          },
  };
}

}  // namespace rootdk::defects::init::end_point
