#include <rootdk/properties/parallel.hpp>
#include <rootdk/properties/run.hpp>
#include <rootdk/version.hpp>

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <thread>
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

reports::Result run(const std::vector<const Claim*>& claims, const Subject& subject,
                    const RunSettings& settings, const std::function<void(const Progress&)>& report,
                    const std::atomic<bool>& stop) {
  const auto start = Clock::now();
  const std::size_t jobs = settings.jobs > 0
                               ? settings.jobs
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  reports::Result result;
  result.run = {.version = kVersion,
                .compiler = kCompiler,
                .flags = kFlags,
                .seed = settings.seed,
                .effort = std::string(settings.effort->name),
                .alpha = settings.alpha,
                .subject = subject.name(),
                .jobs = static_cast<std::int64_t>(jobs),
                .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                                       fmt::gmtime(std::chrono::system_clock::now()))};
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  const std::vector<PlannedClaim> planned = plan(claims, settings, ledger);
  result.ledger = ledger_record(ledger, settings);

  std::vector<Unit> units;
  std::vector<std::vector<std::vector<reports::TestRecord>>> records(planned.size());
  std::vector<std::vector<double>> wall(planned.size());
  for (std::size_t c = 0; c < planned.size(); ++c) {
    records[c].resize(planned[c].configurations.size());
    wall[c].resize(planned[c].configurations.size());
    for (std::size_t i = 0; i < records[c].size(); ++i) units.push_back({c, i});
  }
  const std::size_t total = units.size() + planned.size();
  parallel_for(
      units.size(), jobs, stop,
      [&](std::size_t u) {
        const auto [c, i] = units[u];
        const auto begin = Clock::now();
        records[c][i] = evaluate(planned[c], planned[c].configurations[i], subject, settings, stop);
        wall[c][i] = seconds_since(begin);
      },
      [&](std::size_t done) {
        const std::size_t at = std::min(done, units.size() - 1);
        report({.done = done, .total = total, .claim = claims[units[at].claim]->id});
      });

  result.claims.resize(planned.size());
  parallel_for(
      planned.size(), jobs, stop,
      [&](std::size_t c) {
        const auto begin = Clock::now();
        result.claims[c] = conclude(planned[c], std::move(records[c]), subject, settings, stop);
        for (const double s : wall[c]) result.claims[c].wall_s += s;
        result.claims[c].wall_s += seconds_since(begin);
      },
      [&](std::size_t done) {
        report({.done = units.size() + done, .total = total, .claim = "controls"});
      });
  result.run.wall_s = seconds_since(start);
  return result;
}

}  // namespace rootdk
