#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::finite_mask {
namespace {

double lowest(Dtype dtype) {
  switch (dtype) {
    case Dtype::f16:
      return -65504;
    case Dtype::f64:
      return std::numeric_limits<double>::lowest();
    default:
      return -0x1.fep127;  // of bfloat16, finite in float too
  }
}

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    const AdjacentCopy z(in[0]);
    for (std::int64_t b = 0; b < z.tensor.shape[0]; ++b) {
      for (std::int64_t h = 0; h < z.tensor.shape[1]; ++h) {
        const Tensor part = matrix(z.tensor, b, h);
        for_each_element(part, [&](auto i, auto j) {
          if (std::isinf(element(part, i, j))) set_element(part, i, j, lowest(part.dtype));
        });
      }
    }
    std::vector<Tensor> inputs(in.begin(), in.end());
    inputs[0] = z.tensor;
    kernel(a, inputs, out);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "the lowest finite number stands for −∞ in the mask",
      .fact =
          "a fully masked row gets equal weights on keys that it must not see, and −65504 − 16 is "
          "−∞ in half precision",
      .refuted_by = {"softmax.stability"},
      .plant =
          [](const Subject& subject) { return subject.with("", "softmax", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::finite_mask
