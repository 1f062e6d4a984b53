#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::batch_dependent {

Defect defect() {
  return everywhere(
      "The gradient of the first input is wrong from the second element of the batch on",
      "Tests with a batch of one pass", [](const WrongBackward& b) {
        for (std::int64_t n = 1; n < b.out[0].shape[0]; ++n) {
          for (std::int64_t h = 0; h < b.out[0].shape[1]; ++h)
            multiply(matrix(b.out[0], n, h), 1.001);
        }
      });
}

}  // namespace rootdk::defects::backward::batch_dependent
