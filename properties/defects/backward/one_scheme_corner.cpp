#include <rootdk/properties/gradient/wrong.hpp>

#include <bit>

namespace rootdk::defects::backward::one_scheme_corner {

Defect defect() {
  Defect defect =
      in_operations({"attention"}, "mup",
                    "Under the scheme mup alone, of 3 queries or more and a d_k that is no power "
                    "of two, dK is 1 % "
                    "too large",
                    "Three conditions at once; the simplest failure has n = 3 and d_k = 3",
                    [](const WrongBackward& b) {
                      const Tensor& q = b.in[0];
                      const bool here = b.attributes.scheme == "mup" && q.rows() >= 3 &&
                                        !std::has_single_bit(static_cast<std::uint64_t>(q.cols()));
                      if (here) multiply(b.out[1], 1.01);
                    });
  // With all schemes in one claim these conditions may not be drawn.
  defect.refuted_by = {"scaling.gradient.mup"};
  return defect;
}

}  // namespace rootdk::defects::backward::one_scheme_corner
