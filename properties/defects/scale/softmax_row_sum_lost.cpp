#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::softmax_row_sum_lost {
namespace {

/// p ⊙ δ: the diagonal of the Jacobian alone.
void diagonal_only(const Tensor& dp, const Tensor& dz) {
  for (std::int64_t i = 0; i < dz.rows(); ++i) {
    for (std::int64_t j = 0; j < dz.cols(); ++j) {
      set_element(dz, i, j, element(dz, i, j) * element(dp, i, j));
    }
  }
}

}  // namespace

Defect defect() {
  return {
      .id = {},
      .statement = "The backward pass of softmax forgets Σ δp: dz = p ⊙ δ",
      .fact = "the gradients of a row do not sum to 0",
      .refuted_by = {"softmax.jacobian", "softmax.no_position_survives", "softmax.entropy",
                     "softmax.one_hot_kills_gradient"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.softmax_row_sum_lost", "softmax", Pass::backward,
                             [forward = base](Kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 forward.call("softmax", Pass::forward, a, in.first(1), out);
                                 diagonal_only(in[1], out[0]);
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::softmax_row_sum_lost
