#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/numbers/rows.hpp>

namespace rootdk::defects::numbers::mean_subtracted {
namespace {

Kernel wrap(Kernel kernel) {
  return [kernel](const Attributes& a, Tensors in, Tensors out) {
    const AdjacentCopy x(in[0]);
    for (std::int64_t i = 0; i < in[0].rows(); ++i) {
      const double mean = row_mean(in[0], i);
      for (std::int64_t j = 0; j < in[0].cols(); ++j) {
        set_element(x.tensor, i, j, element(in[0], i, j) - mean);
      }
    }
    std::vector<Tensor> inputs(in.begin(), in.end());
    inputs[0] = x.tensor;
    kernel(a, inputs, out);
  };
}

}  // namespace

Defect defect() {
  return {
      .statement = "RMSNorm subtracts the mean: a LayerNorm under its name",
      .fact = "no error on rows of mean 0; standard deviation 1 for 0.707 at mean = sd",
      .refuted_by = {"norm.rms_is_not_std", "norm.rms"},
      .plant =
          [](const Subject& subject) { return subject.with("", "rms_norm", Pass::forward, wrap); },
  };
}

}  // namespace rootdk::defects::numbers::mean_subtracted
