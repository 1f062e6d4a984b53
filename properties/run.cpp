#include <rootdk/properties/parallel.hpp>
#include <rootdk/properties/run.hpp>
#include <rootdk/version.hpp>

#include <fmt/chrono.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
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

/// One claim from the records of all its configurations.
reports::ClaimRecord concluded(const PlannedClaim& claim,
                               std::vector<std::vector<reports::TestRecord>> records,
                               const Subject& subject, const RunSettings& settings,
                               const std::shared_ptr<reports::Spool>& file,
                               const std::atomic<bool>& stop) {
  const auto begin = Clock::now();
  double wall = 0;
  for (const auto& tests : records) {
    for (const reports::TestRecord& test : tests) wall += test.wall_s;
  }
  reports::ClaimRecord result = conclude(claim, std::move(records), subject, settings, stop);
  result.configurations.spool(file);
  result.wall_s = wall + seconds_since(begin);
  return result;
}

std::vector<Unit> units_of(const std::vector<PlannedClaim>& planned, Share share) {
  std::vector<Unit> units;
  std::size_t number = 0;
  for (std::size_t c = 0; c < planned.size(); ++c) {
    for (std::size_t i = 0; i < planned[c].configurations.size(); ++i) {
      if (number++ % share.count == share.index) units.push_back({c, i});
    }
  }
  return units;
}

Records no_records(const std::vector<PlannedClaim>& planned) {
  Records records(planned.size());
  for (std::size_t c = 0; c < planned.size(); ++c) {
    records[c].resize(planned[c].configurations.size());
  }
  return records;
}

/// Fills the records of the units, and calls then(claim) after each, in the thread that judged it.
template <class Then>
void judge(const PreparedRun& prepared, const std::vector<Unit>& units, std::size_t total,
           const Subject& subject, Records& records, const Report& report,
           const std::atomic<bool>& stop, Then&& then) {
  const std::vector<PlannedClaim>& planned = prepared.planned;
  parallel_for(
      units.size(), prepared.jobs, stop,
      [&](std::size_t u) {
        const auto [c, i] = units[u];
        records[c][i] =
            evaluate(planned[c], planned[c].configurations[i], subject, prepared.settings, stop);
        then(c);
      },
      [&](std::size_t done) {
        const std::size_t at = std::min(done, units.size() - 1);
        report({.done = done, .total = total, .claim = planned[units[at].claim].claim->id});
      });
}

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
  const std::vector<Unit> units = units_of(planned, share);
  Records records = no_records(planned);
  judge(prepared, units, units.size() + planned.size(), subject, records, report, stop,
        [](std::size_t) {});
  return records;
}

reports::Result conclude_all(PreparedRun prepared, Records records, const Subject& subject,
                             const Report& report, const std::atomic<bool>& stop) {
  const std::vector<PlannedClaim>& planned = prepared.planned;
  reports::Result result = std::move(prepared.result);
  result.claims.resize(planned.size());
  const auto file = std::make_shared<reports::Spool>();
  std::size_t units = 0;
  for (const PlannedClaim& claim : planned) units += claim.configurations.size();
  parallel_for(
      planned.size(), prepared.jobs, stop,
      [&](std::size_t c) {
        result.claims[c] =
            concluded(planned[c], std::move(records[c]), subject, prepared.settings, file, stop);
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
  std::vector<PlannedClaim>& planned = prepared.planned;
  reports::Result result = std::move(prepared.result);
  result.claims.resize(planned.size());
  Records records = no_records(planned);
  const auto file = std::make_shared<reports::Spool>();
  const auto finish = [&](std::size_t c) {
    result.claims[c] = concluded(planned[c], std::move(records[c]), subject, settings, file, stop);
    planned[c].configurations = {};
  };
  // Whoever judges the last configuration of a claim concludes it, so that of all tests only those of
  // the claims at work are in memory.
  std::vector<std::atomic<std::size_t>> left(planned.size());
  for (std::size_t c = 0; c < planned.size(); ++c) {
    left[c] = planned[c].configurations.size();
    if (left[c] == 0) finish(c);
  }
  const std::vector<Unit> units = units_of(planned, {});
  judge(prepared, units, units.size(), subject, records, report, stop, [&](std::size_t c) {
    if (--left[c] == 0 && !stop) finish(c);
  });
  result.run.wall_s = seconds_since(start);
  return result;
}

}  // namespace rootdk
