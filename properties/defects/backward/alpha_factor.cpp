#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::alpha_factor {

Defect defect() {
  return in_operations(
      attending(), "parameters",
      "The gradients of the scheme’s parameters carry the parameter as a factor",
      "Right at α = 1: α dα = ⟨dQ, Q⟩ fails elsewhere", [](const WrongBackward& b) {
        const std::ptrdiff_t p = b.parameters();
        if (p < 0) return;
        const auto index = static_cast<std::size_t>(p);
        for (std::int64_t j = 0; j < b.out[index].cols(); ++j) {
          set_element(b.out[index], 0, j, element(b.out[index], 0, j) * element(b.in[index], 0, j));
        }
      });
}

}  // namespace rootdk::defects::backward::alpha_factor
