#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::masked_row_nan {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool masked(const Tensor& z, std::int64_t i) {
  for (std::int64_t j = 0; j < z.cols(); ++j) {
    if (element(z, i, j) != -std::numeric_limits<double>::infinity()) return false;
  }
  return true;
}

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    for (std::int64_t b = 0; b < in[0].shape[0]; ++b) {
      for (std::int64_t h = 0; h < in[0].shape[1]; ++h) {
        const Tensor z = matrix(in[0], b, h);
        const Tensor result = matrix(out[0], b, h);
        for_each_element(result, [&](auto i, auto j) {
          if (masked(z, i)) set_element(result, i, j, kNan);
        });
      }
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the softmax of a fully masked row is computed as of any other",
      .fact = "−∞ − (−∞) = NaN, and 0 · NaN reaches every shared weight in the backward pass",
      .refuted_by = {"softmax.stability"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "softmax", Pass::forward, wrap)
                .with("", "softmax", Pass::backward, wrap);
          },
  };
}

}  // namespace rootdk::defects::numbers::masked_row_nan
