#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::length_one {
namespace {

Kernel forward(Kernel kernel, bool layer) {
  return [kernel, layer](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    const double root = std::sqrt(static_cast<double>(in[0].cols()));
    for (std::int64_t i = 0; i < out[0].rows(); ++i) rescale(in, out[0], layer, i, 1 / root);
  };
}

Kernel backward(Kernel kernel, bool) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    kernel(a, in, out);
    const double root = std::sqrt(static_cast<double>(in[0].cols()));
    multiply(out[0], 1 / root);
    multiply(out[1], 1 / root);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "a norm divides by the length of the row where its root mean square is meant",
      .fact = "rows of length 1: every entry too small by √d, the next layer's variance 1/d",
      .refuted_by = {"norm.rms", "norm.law", "chain.full", "depth.prenorm_forward"},
      .plant =
          [](const Subject& subject) {
            return with_norms(with_norms(subject, Pass::forward, forward), Pass::backward,
                              backward);
          },
  };
}

}  // namespace rootdk::defects::numbers::length_one
