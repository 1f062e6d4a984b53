#include <rootdk/properties/defects/scale/fault.hpp>

namespace rootdk::defects::scale::softmax_axis {

Defect defect() {
  return {
      .id = {},
      .statement = "Softmax runs over the queries, the wrong axis",
      .fact = "the columns sum to 1, the rows do not",
      .refuted_by = {"softmax.simplex"},
      .plant =
          [](const Subject& base) {
            return base.with("scale.softmax_axis", "softmax", Pass::forward,
                             [](Kernel kernel) -> Kernel {
                               return [=](const Attributes& a, Tensors in, Tensors out) {
                                 const auto transposed = [](Tensor t) {
                                   std::swap(t.shape[2], t.shape[3]);
                                   std::swap(t.stride[2], t.stride[3]);
                                   return t;
                                 };
                                 const AdjacentCopy z(transposed(in[0]));
                                 const AdjacentCopy p(z.tensor);
                                 const std::array inputs{z.tensor};
                                 const std::array outputs{p.tensor};
                                 kernel(a, inputs, outputs);
                                 copy(out[0], transposed(p.tensor));
                               };
                             });
          },
  };
}

}  // namespace rootdk::defects::scale::softmax_axis
