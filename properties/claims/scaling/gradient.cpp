#include <rootdk/properties/gradient/claims.hpp>

namespace rootdk::claims::scaling::gradient {

/// One claim a scheme: whatever the registry of schemes holds is covered.
Claims claim() {
  std::vector<Claim> family;
  for (const Operation& operation : scheme_operations()) {
    family.push_back(gradient_claim(operation, {"backward.relative_1e_9"}));
  }
  return family;
}

}  // namespace rootdk::claims::scaling::gradient
