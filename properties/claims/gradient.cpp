#include <rootdk/properties/gradient/claims.hpp>

namespace rootdk::claims::gradient {

/// One claim an operation: whatever the registry of operations holds is covered.
Claims claim() {
  std::vector<Claim> family;
  for (const Operation& operation : operations()) {
    family.push_back(gradient_claim(operation, {"backward.relative_1e_9"}));
  }
  return family;
}

}  // namespace rootdk::claims::gradient
