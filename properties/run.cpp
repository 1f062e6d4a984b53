#include <rootdk/properties/parallel.hpp>
#include <rootdk/properties/run.hpp>
#include <rootdk/version.hpp>

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace rootdk {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One (claim, configuration) pair: the unit of work.
struct Unit {
  std::size_t claim;
  std::size_t configuration;
};

reports::LedgerRecord ledger_record(const stats::Ledger& ledger, const RunSettings& settings) {
  return {.alpha_total = ledger.alpha(),
          .alpha_declared = ledger.spent(),
          .alpha_reserved = ledger.reserved(),
          .claim_slots = static_cast<std::int64_t>(ledger.slots().claims),
          .configuration_slots = static_cast<std::int64_t>(ledger.slots().configurations),
          .beta = settings.beta};
}

}  // namespace

PreparedRun prepare(const std::vector<const Claim*>& claims, const Subject& subject,
                    const RunSettings& settings) {
  PreparedRun prepared{.planned = {}, .settings = settings, .result = {}};
  prepared.jobs = threads_for(settings.jobs);
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  prepared.planned = plan(claims, settings, ledger);
  prepared.result.ledger = ledger_record(ledger, settings);
  prepared.result.run = {.version = kVersion,
                         .compiler = kCompiler,
                         .flags = kFlags,
                         .seed = settings.seed,
                         .effort = std::string(settings.effort->name),
                         .alpha = settings.alpha,
                         .subject = subject.name(),
                         .jobs = static_cast<std::int64_t>(prepared.jobs),
                         .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                                fmt::gmtime(std::chrono::system_clock::now()))};
  return prepared;
}

Records evaluate_share(const PreparedRun& prepared, const Subject& subject, Share share,
                       const Report& report, const std::atomic<bool>& stop) {
  const std::vector<PlannedClaim>& planned = prepared.planned;
  std::vector<Unit> units;
  Records records(planned.size());
  std::size_t number = 0;
  for (std::size_t c = 0; c < planned.size(); ++c) {
    records[c].resize(planned[c].configurations.size());
    for (std::size_t i = 0; i < records[c].size(); ++i) {
      if (number++ % share.count == share.index) units.push_back({c, i});
    }
  }
  parallel_for(
      units.size(), prepared.jobs, stop,
      [&](std::size_t u) {
        const auto [c, i] = units[u];
        records[c][i] =
            evaluate(planned[c], planned[c].configurations[i], subject, prepared.settings, stop);
      },
      [&](std::size_t done) {
        const std::size_t at = std::min(done, units.size() - 1);
        report({.done = done,
                .total = units.size() + planned.size(),
                .claim = planned[units[at].claim].claim->id});
      });
  return records;
}

reports::Result conclude_all(PreparedRun prepared, Records records, const Subject& subject,
                             const Report& report, const std::atomic<bool>& stop) {
  const std::vector<PlannedClaim>& planned = prepared.planned;
  reports::Result result = std::move(prepared.result);
  result.claims.resize(planned.size());
  std::size_t units = 0;
  for (const PlannedClaim& claim : planned) units += claim.configurations.size();
  parallel_for(
      planned.size(), prepared.jobs, stop,
      [&](std::size_t c) {
        const auto begin = Clock::now();
        double wall = 0;
        for (const auto& tests : records[c]) {
          for (const reports::TestRecord& test : tests) wall += test.wall_s;
        }
        result.claims[c] =
            conclude(planned[c], std::move(records[c]), subject, prepared.settings, stop);
        result.claims[c].wall_s = wall + seconds_since(begin);
      },
      [&](std::size_t done) {
        report({.done = units + done, .total = units + planned.size(), .claim = "controls"});
      });
  return result;
}

reports::Result run(const std::vector<const Claim*>& claims, const Subject& subject,
                    const RunSettings& settings, const Report& report,
                    const std::atomic<bool>& stop) {
  const auto start = Clock::now();
  PreparedRun prepared = prepare(claims, subject, settings);
  Records records = evaluate_share(prepared, subject, {}, report, stop);
  reports::Result result =
      conclude_all(std::move(prepared), std::move(records), subject, report, stop);
  result.run.wall_s = seconds_since(start);
  return result;
}

}  // namespace rootdk
