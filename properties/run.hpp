#pragma once

#include <rootdk/properties/claim.hpp>
#include <rootdk/reports/record.hpp>
#include <rootdk/stats/ledger.hpp>
#include <rootdk/stats/plan.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// How much is sampled. Effort changes the smallest effect that is seen, never the error rates.
struct Effort {
  std::string_view name;
  std::size_t configurations;  ///< a claim
  double delta;                ///< smallest relative effect seen in one configuration
  double delta_pooled;         ///< and in all of a claim's configurations together
  stats::Slots slots;
};

/// quick, standard, deep.
std::span<const Effort> efforts();
/// @throws std::invalid_argument if there is none of that name
const Effort& effort_named(std::string_view name);

struct RunSettings {
  std::uint64_t seed = 1;
  double alpha = 1e-6;
  double beta = 1e-6;  ///< of each test
  const Effort* effort = &effort_named("standard");
  std::size_t jobs = 0;  ///< 0: as many as the machine has cores
};

/// A claim with everything decided that can be decided before anything is drawn.
struct PlannedCheck {
  const Check* check;
  bool statistical;
  double alpha = 0;         ///< in one configuration
  double alpha_pooled = 0;  ///< 0 if not pooled
  double delta = 0;
  double delta_pooled = 0;
  double nu_first = 0;  ///< in one configuration, so that the pooled test sees delta_pooled
};
struct PlannedClaim {
  const Claim* claim;
  std::vector<Configuration> configurations;
  std::vector<PlannedCheck> checks;
  double alpha_slope = 0;  ///< of each slope, 0 if there is none
};

/// Plans claims and books them in the ledger.
///
/// @throws std::invalid_argument if the ledger is overdrawn
std::vector<PlannedClaim> plan(const std::vector<const Claim*>& claims, const RunSettings& settings,
                               stats::Ledger& ledger);

/// The law of a check's evidence summed over configurations: for known moments the worst of their
/// cumulants, in the plan as in the verdict.
stats::Law pooled_law(const Check& check, std::span<const Configuration> configurations);

/// The plan of one check in one configuration; the same for all checks of the same budget.
const stats::Plan& look_plan(const PlannedClaim& claim, std::size_t check,
                             const Configuration& configuration, const RunSettings& settings);

/// Of a run, or other data for what confirms a failure.
enum class Data : std::uint8_t { planned, fresh };

/// One configuration of a claim, judged: one record a check. A pure function of its arguments.
std::vector<reports::TestRecord> evaluate(const PlannedClaim& claim,
                                          const Configuration& configuration,
                                          const Subject& subject, const RunSettings& settings,
                                          const std::atomic<bool>& stop, Data data = Data::planned);

/// The claim with its tests at the shares of α that are kept for confirming a failure on fresh data.
PlannedClaim confirming(PlannedClaim claim, const RunSettings& settings);

/// Pooled tests, slopes, controls and the verdict of a claim, from the records of its
/// configurations.
reports::ClaimRecord conclude(const PlannedClaim& claim,
                              std::vector<std::vector<reports::TestRecord>> records,
                              const Subject& subject, const RunSettings& settings,
                              const std::atomic<bool>& stop);

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::string_view claim;
};
using Report = std::function<void(const Progress&)>;

/// A part of the (claim, configuration) pairs of a run: every count-th one from index on.
struct Share {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// The records of each pair, [claim][configuration][check]; empty where another share has them, or
/// where a run was stopped.
using Records = std::vector<std::vector<std::vector<reports::TestRecord>>>;

/// Everything that a run has decided before it draws.
struct PreparedRun {
  std::vector<PlannedClaim> planned;
  RunSettings settings;
  std::size_t jobs = 1;
  reports::Result result;  ///< run and ledger filled in, no claims yet
};

/// @throws std::invalid_argument if the ledger is overdrawn
PreparedRun prepare(const std::vector<const Claim*>& claims, const Subject& subject,
                    const RunSettings& settings);

/// Evaluates a share of the pairs on all cores. The records do not depend on the number of threads.
///
/// @param report called now and then from the calling thread
/// @param stop checked between blocks
Records evaluate_share(const PreparedRun& prepared, const Subject& subject, Share share,
                       const Report& report, const std::atomic<bool>& stop);

/// Concludes every claim from the records of all pairs.
reports::Result conclude_all(PreparedRun prepared, Records records, const Subject& subject,
                             const Report& report, const std::atomic<bool>& stop);

/// The whole of it, in one process.
reports::Result run(const std::vector<const Claim*>& claims, const Subject& subject,
                    const RunSettings& settings, const Report& report,
                    const std::atomic<bool>& stop);

}  // namespace rootdk
