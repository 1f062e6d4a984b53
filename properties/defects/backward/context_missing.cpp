#include <rootdk/properties/gradient/wrong.hpp>

namespace rootdk::defects::backward::context_missing {

Defect defect() {
  return in_operations({"multi_head"}, "", "The context gets no gradient",
                       "Keys and values are taken for constants",
                       [](const WrongBackward& b) { fill(b.out[1], 0); });
}

}  // namespace rootdk::defects::backward::context_missing
