#pragma once

#include <string_view>

namespace rootdk {

/// A configuration that once failed, stored as properties/regressions/NAME.json and replayed first
/// in every run of its claim.
struct Regression {
  std::string_view name;
  std::string_view claim;
  std::string_view configuration;
};

/// Called by the generated list.
void add_regression(const Regression& regression);

}  // namespace rootdk
