#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/domain.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <utility>

namespace rootdk {
namespace {

/// Integers of a generator are spread over the whole range only at RapidCheck's nominal size; at
/// smaller ones they crowd at the low end.
rc::Gen<std::int64_t> axis_values(const Axis& axis) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(axis.low, axis.high + 1));
}

/// All points, in order, or as many as are asked for.
std::vector<Configuration> enumerate(const Domain& domain) {
  std::vector<Configuration> result;
  std::set<std::string> seen;
  const auto& axes = domain.axes();
  std::vector<std::int64_t> point;
  for (const Axis& axis : axes) point.push_back(axis.low);
  for (;;) {
    Configuration configuration = domain.at(point);
    if (seen.insert(configuration.str()).second) result.push_back(std::move(configuration));
    std::size_t i = axes.size();
    while (i > 0 && point[i - 1] == axes[i - 1].high) {
      point[i - 1] = axes[i - 1].low;
      --i;
    }
    if (i == 0) return result;
    ++point[i - 1];
  }
}

/// Sets the choices to the given number of their combinations.
void take_turn(const Domain& domain, std::uint64_t turn, std::vector<std::int64_t>& point) {
  for (std::size_t i = 0; i < point.size(); ++i) {
    const auto length = static_cast<std::uint64_t>(domain.axes()[i].choices.size());
    if (length == 0) continue;
    point[i] = static_cast<std::int64_t>(turn % length);
    turn /= length;
  }
}

}  // namespace

std::vector<Configuration> draw_configurations(const Domain& domain, std::size_t count,
                                               std::uint64_t seed) {
  if (domain.size() <= count) return enumerate(domain);
  std::vector<Configuration> result;
  std::set<std::string> seen;
  rc::Random random(seed);
  // A domain whose map merges many points can hold fewer distinct ones than asked for.
  const std::size_t most_tries = 100 * count;
  for (std::size_t tries = 0; result.size() < count && tries < most_tries; ++tries) {
    std::vector<std::int64_t> point;
    for (const Axis& axis : domain.axes()) {
      point.push_back(axis_values(axis)(random.split(), rc::kNominalSize).value());
    }
    take_turn(domain, result.size() + tries / (10 * count), point);
    Configuration configuration = domain.at(point);
    if (seen.insert(configuration.str()).second) result.push_back(std::move(configuration));
  }
  return result;
}

Configuration shrink_configuration(const Domain& domain, const Configuration& failing,
                                   std::size_t budget,
                                   const std::function<bool(const Configuration&)>& fails) {
  std::vector<std::int64_t> best = domain.indices(failing);
  std::set<std::string> asked{failing.str()};
  bool improved = true;
  while (improved) {
    improved = false;
    for (std::size_t i = 0; i < best.size() && !improved; ++i) {
      auto candidates = rc::shrink::towards(best[i], domain.axes()[i].low);
      while (auto value = candidates.next()) {
        std::vector<std::int64_t> point = best;
        point[i] = *value;
        const Configuration configuration = domain.at(point);
        if (!asked.insert(configuration.str()).second) continue;
        if (asked.size() > budget + 1) return domain.at(best);
        if (!fails(configuration)) continue;
        best = domain.indices(configuration);
        improved = true;
        break;
      }
    }
  }
  return domain.at(best);
}

}  // namespace rootdk
