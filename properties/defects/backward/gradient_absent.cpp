#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::gradient_absent {

Defect defect() {
  return everywhere("The last input gets no gradient", "A parameter that one step does not change",
                    [](const WrongBackward& b) { fill(b.out.back(), 0); });
}

}  // namespace rootdk::defects::backward::gradient_absent
