#include <rootdk/properties/shares.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rootdk {

reports::Part to_part(const PreparedRun& prepared, const Records& records, Share share) {
  reports::Part part{.run = prepared.result.run,
                     .index = static_cast<std::int64_t>(share.index),
                     .count = static_cast<std::int64_t>(share.count),
                     .claims = {},
                     .pairs = {}};
  for (std::size_t c = 0; c < records.size(); ++c) {
    const std::string& id = prepared.planned[c].claim->id;
    part.claims.push_back(id);
    for (std::size_t i = 0; i < records[c].size(); ++i) {
      if (records[c][i].empty()) continue;
      part.pairs.push_back(
          {.claim = id, .configuration = static_cast<std::int64_t>(i), .tests = records[c][i]});
    }
  }
  return part;
}

void require_one_run(const std::vector<reports::Part>& parts) {
  const auto& first = parts.front();
  std::vector<bool> seen(static_cast<std::size_t>(std::max<std::int64_t>(first.count, 1)), false);
  for (const reports::Part& part : parts) {
    const auto differs = [&](const char* what, const std::string& a, const std::string& b) {
      if (a == b) return;
      throw std::invalid_argument(
          fmt::format("merge: {} is '{}' in one part, '{}' in another", what, a, b));
    };
    differs("version", first.run.version, part.run.version);
    differs("seed", std::to_string(first.run.seed), std::to_string(part.run.seed));
    differs("effort", first.run.effort, part.run.effort);
    differs("alpha", fmt::format("{}", first.run.alpha), fmt::format("{}", part.run.alpha));
    differs("subject", first.run.subject, part.run.subject);
    differs("number of shares", std::to_string(first.count), std::to_string(part.count));
    if (part.claims != first.claims) {
      throw std::invalid_argument("merge: the parts are of different claims");
    }
    const auto index = static_cast<std::size_t>(part.index);
    if (part.index < 0 || index >= seen.size() || seen[index]) {
      throw std::invalid_argument(
          fmt::format("merge: share {} of {} is there twice", part.index + 1, part.count));
    }
    seen[index] = true;
  }
  const auto missing = std::ranges::find(seen, false);
  if (missing != seen.end()) {
    throw std::invalid_argument(
        fmt::format("merge: share {} of {} is missing", missing - seen.begin() + 1, first.count));
  }
}

Records gather(const PreparedRun& prepared, const std::vector<reports::Part>& parts) {
  require_one_run(parts);
  Records records(prepared.planned.size());
  for (std::size_t c = 0; c < records.size(); ++c) {
    records[c].resize(prepared.planned[c].configurations.size());
  }
  for (const reports::Part& part : parts) {
    for (const reports::Part::Pair& pair : part.pairs) {
      const auto claim = std::ranges::find(prepared.planned, pair.claim,
                                           [](const PlannedClaim& p) { return p.claim->id; });
      const auto i = static_cast<std::size_t>(pair.configuration);
      if (claim == prepared.planned.end() || i >= claim->configurations.size() ||
          pair.tests.size() != claim->checks.size() ||
          pair.tests.front().configuration != claim->configurations[i].str()) {
        throw std::invalid_argument(fmt::format(
            "merge: configuration {} of {} is not of this version's plan", i, pair.claim));
      }
      records[static_cast<std::size_t>(claim - prepared.planned.begin())][i] = pair.tests;
    }
  }
  return records;
}

}  // namespace rootdk
