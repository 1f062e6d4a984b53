#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::one_pass_variance {
namespace {

/// The statistics as a loop in the arithmetic of the kernel would find them.
template <class T>
void normalise(const Attributes& a, Tensors in, const Tensor& y, std::int64_t i) {
  const auto d = static_cast<T>(y.cols());
  T sum = 0;
  T squares = 0;
  for (std::int64_t j = 0; j < y.cols(); ++j) {
    const T value = static_cast<T>(element(in[0], i, j));
    sum += value;
    squares += value * value;
  }
  const T mean = sum / d;
  const T variance = squares / d - mean * mean;
  const T r = T(1) / std::sqrt(variance + static_cast<T>(a.epsilon));
  for (std::int64_t j = 0; j < y.cols(); ++j) {
    const T unit = (static_cast<T>(element(in[0], i, j)) - mean) * r;
    set_element(y, i, j,
                unit * static_cast<T>(element(in[1], 0, j)) + static_cast<T>(element(in[2], 0, j)));
  }
}

Kernel wrap(const Kernel&) {
  return [](const Attributes& a, Tensors in, Tensors out) {
    for (std::int64_t i = 0; i < out[0].rows(); ++i) {
      if (out[0].dtype == Dtype::f64) {
        normalise<double>(a, in, out[0], i);
      } else {
        normalise<float>(a, in, out[0], i);
      }
    }
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "LayerNorm computes its variance as E x² − (E x)²",
      .fact = "the row 40000 … 40003 in float has the variance −128 for 1.25",
      .refuted_by = {"norm.layer"},
      .plant =
          [](const Subject& subject) {
            return subject.with("", "layer_norm", Pass::forward, wrap);
          },
  };
}

}  // namespace rootdk::defects::numbers::one_pass_variance
