#include <rootdk/stats/verdict.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rootdk::stats {
namespace {

constexpr std::array<std::string_view, 6> kNames{"NOT_APPLICABLE", "VERIFIED", "INCONCLUSIVE",
                                                 "UNTRUSTED",      "REFUTED",  "BROKEN"};

}  // namespace

std::string_view name(Verdict verdict) { return kNames[static_cast<std::size_t>(verdict)]; }

Verdict verdict_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    throw std::invalid_argument(fmt::format("verdict: there is no '{}'", name));
  }
  return static_cast<Verdict>(found - kNames.begin());
}

}  // namespace rootdk::stats
