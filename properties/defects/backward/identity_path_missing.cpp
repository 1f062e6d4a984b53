#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::identity_path_missing {

Defect defect() {
  return in_operations({"prenorm_block"}, "", "The cotangent does not pass the identity path",
                       "The reason why deep models train is lost",
                       [](const WrongBackward& b) { add_scaled(b.out[0], -1, b.cotangent()); });
}

}  // namespace rootdk::defects::backward::identity_path_missing
