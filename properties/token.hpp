#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rootdk {

/// Everything that one configuration's result depends on. Printed as
/// "scores.variance:d_k=17,n=8:seed=1,effort=standard,alpha=1e-06,subject=library".
struct Token {
  std::string claim;
  std::string configuration;
  std::uint64_t seed = 0;
  std::string effort;
  double alpha = 0;
  /// Of a failure made simple, which was found on fresh data; printed as "fresh=1".
  bool fresh = false;
  std::string subject;
};

std::string token_text(const Token& token);

/// @throws std::invalid_argument naming the part that cannot be read
Token parse_token(std::string_view text);

}  // namespace rootdk
