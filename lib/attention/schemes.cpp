#include <rootdk/lib/attention/facts.hpp>

#include <rootdk/generated/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace rootdk {

std::span<const SchemeFacts> all_schemes() {
  static const std::vector<SchemeFacts> all = [] {
    std::vector<SchemeFacts> facts;
    for_each_scheme([&]<class Scheme>(std::string_view name, Scheme) {
      facts.push_back({.name = name,
                       .formula = Scheme::formula,
                       .rows = Scheme::rows,
                       .parameters = Scheme::parameters,
                       .capped = Scheme::cap >= 0,
                       .scales_query = Scheme::scales_query,
                       .variance = &Scheme::variance,
                       .bound = &Scheme::bound});
    });
    return facts;
  }();
  return all;
}

const SchemeFacts& scheme(std::string_view name) {
  const auto all = all_schemes();
  const auto found = std::ranges::find(all, name, &SchemeFacts::name);
  if (found == all.end()) {
    throw std::invalid_argument(fmt::format("scheme: there is no '{}'", name));
  }
  return *found;
}

}  // namespace rootdk
