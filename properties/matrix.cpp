#include <rootdk/properties/matrix.hpp>
#include <rootdk/properties/parallel.hpp>
#include <rootdk/stats/plan.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace rootdk {
namespace {

using reports::TestRecord;
using stats::Verdict;

// Sets of fresh data for the observed detection rate. A defect that is planned to be seen with
// probability 1 − 1e-6 and seen in half of the cases would pass as seen once in a thousand times.
constexpr std::int64_t kRepeats = 10;

// Claims about whole trainings take seconds each, and everything that a defect touches changes them:
// they are judged where they are named.
constexpr std::string_view kSlow = "training";

using Touched = std::set<std::pair<std::string, Pass>>;

bool is_named(const Defect& defect, const Claim& claim) {
  return std::ranges::any_of(defect.refuted_by,
                             [&](const std::string& id) { return names(id, claim.id); });
}

/// The operations that a claim calls, in one block of each configuration.
Touched calls_of(const PlannedClaim& claim, const RunSettings& settings,
                 const std::atomic<bool>& stop) {
  Touched seen;
  Subject traced = library();
  std::set<std::pair<std::string, Pass>> operations;
  for (const auto& [key, kernel] : traced.kernels()) operations.emplace(key.op, key.pass);
  for (const auto& operation : operations) {
    traced = traced.with("traced", operation.first, operation.second, [&](Kernel kernel) {
      return [&seen, &operation, kernel = std::move(kernel)](
                 const Attributes& a, std::span<const Tensor> in, std::span<const Tensor> out) {
        seen.insert(operation);
        kernel(a, in, out);
      };
    });
  }
  for (const Configuration& at : claim.configurations) evaluate(claim, at, traced, settings, stop);
  return seen;
}

bool overlap(const Touched& a, const Touched& b) {
  return std::ranges::any_of(a, [&](const auto& operation) { return b.contains(operation); });
}

struct Refutation {
  double samples = 0;
  std::size_t configuration = 0;
  std::size_t check = 0;
};

/// Samples until the first configuration that refutes, or none.
std::optional<Refutation> refutation(const PlannedClaim& claim, const Subject& subject,
                                     const RunSettings& settings, const std::atomic<bool>& stop) {
  Refutation found;
  for (std::size_t i = 0; i < claim.configurations.size() && !stop; ++i) {
    const auto records = evaluate(claim, claim.configurations[i], subject, settings, stop);
    for (std::size_t k = 0; k < records.size(); ++k) {
      found.samples += records[k].nu_used;
      if (records[k].verdict != Verdict::refuted) continue;
      found.configuration = i;
      found.check = k;
      return found;
    }
  }
  return std::nullopt;
}

/// Probability that an effect of the size that was seen is refuted by all of a plan's samples.
double predicted_detection(const stats::Plan& plan, const TestRecord& seen) {
  // What has probability 0 under the claim: no number, or a value outside of the support.
  if (!std::isfinite(seen.statistic)) return 1;
  if (plan.law.kind == stats::LawKind::extreme && seen.statistic >= 1) return 1;
  const double effect = stats::effect_estimate(plan.law, seen.nu_used, seen.statistic);
  return stats::detection_probability(plan.law, plan.nu_planned(), effect, plan.per_look.alpha);
}

/// The same configuration on fresh data, once to see how large the effect is, then to count.
void repeat(const PlannedClaim& claim, const Refutation& first, const Subject& subject,
            const RunSettings& settings, const std::atomic<bool>& stop, DefectOutcome& outcome) {
  const Configuration& at = claim.configurations[first.configuration];
  const auto judged = [&](std::int64_t number) {
    RunSettings other = settings;
    other.seed = settings.seed + static_cast<std::uint64_t>(1 + number);
    return evaluate(claim, at, subject, other, stop)[first.check];
  };
  const TestRecord seen = judged(0);
  outcome.where = seen.check + " at " + seen.configuration;
  if (claim.checks[first.check].statistical) {
    outcome.predicted = predicted_detection(look_plan(claim, first.check, at, settings), seen);
  }
  for (std::int64_t number = 1; number <= kRepeats && !stop; ++number) {
    ++outcome.repeats;
    if (judged(number).verdict == Verdict::refuted) ++outcome.refuted_again;
  }
}

/// One defect against one claim.
struct Unit {
  std::size_t defect;
  std::size_t claim;
  bool named;
  std::optional<Refutation> found = std::nullopt;
};

/// All claims, planned at one effort.
struct Planned {
  RunSettings settings;
  std::vector<PlannedClaim> claims;

  explicit Planned(RunSettings at) : settings(std::move(at)) {
    std::vector<const Claim*> all;
    for (const Claim& claim : all_claims()) all.push_back(&claim);
    stats::Ledger ledger(settings.alpha, settings.effort->slots);
    claims = plan(all, settings, ledger);
  }
};

}  // namespace

std::vector<DefectOutcome> kill_matrix(const std::vector<const Defect*>& defects,
                                       const RunSettings& settings,
                                       const std::function<void(const Progress&)>& report,
                                       const std::atomic<bool>& stop) {
  const Planned full(settings);
  RunSettings quick_settings = settings;
  quick_settings.effort = &effort_named("quick");
  const Planned quick(quick_settings);
  const std::size_t jobs = settings.jobs > 0
                               ? settings.jobs
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  std::vector<Touched> calls(quick.claims.size());
  parallel_for(
      calls.size(), jobs, stop,
      [&](std::size_t c) {
        if (names(kSlow, quick.claims[c].claim->id)) return;
        calls[c] = calls_of(quick.claims[c], quick_settings, stop);
      },
      [](std::size_t) {});

  std::vector<DefectOutcome> outcomes;
  std::vector<Subject> subjects;
  std::vector<Unit> units;
  for (std::size_t d = 0; d < defects.size(); ++d) {
    outcomes.push_back({.id = defects[d]->id,
                        .equivalent = defects[d]->equivalent,
                        .by = {},
                        .missed = {},
                        .where = {}});
    subjects.push_back(defects[d]->plant(library()));
    for (std::size_t c = 0; c < full.claims.size(); ++c) {
      const bool named = is_named(*defects[d], *full.claims[c].claim);
      if (!named && names(kSlow, full.claims[c].claim->id)) continue;
      ++outcomes[d].claims;
      if (named || overlap(calls[c], subjects[d].wrapped())) units.push_back({d, c, named});
    }
  }
  parallel_for(
      units.size(), jobs, stop,
      [&](std::size_t u) {
        Unit& unit = units[u];
        const bool thorough = unit.named || outcomes[unit.defect].equivalent;
        const Planned& planned = thorough ? full : quick;
        unit.found =
            refutation(planned.claims[unit.claim], subjects[unit.defect], planned.settings, stop);
      },
      [&](std::size_t done) {
        report({.done = done,
                .total = units.size() + defects.size(),
                .claim = defects[units[std::min(done, units.size() - 1)].defect]->id});
      });

  std::vector<const Unit*> first(defects.size(), nullptr);
  for (DefectOutcome& outcome : outcomes) outcome.verified_others = outcome.claims;
  for (const Unit& unit : units) {
    DefectOutcome& outcome = outcomes[unit.defect];
    const std::string& id = full.claims[unit.claim].claim->id;
    if (!unit.found) {
      if (unit.named) outcome.missed.push_back(id);
      continue;
    }
    --outcome.verified_others;
    outcome.by.push_back(id);
    if (!unit.named || outcome.refuted) continue;
    outcome.refuted = true;
    outcome.samples = unit.found->samples;
    first[unit.defect] = &unit;
  }
  parallel_for(
      defects.size(), jobs, stop,
      [&](std::size_t d) {
        if (first[d] == nullptr) return;
        repeat(full.claims[first[d]->claim], *first[d]->found, subjects[d], settings, stop,
               outcomes[d]);
      },
      [&](std::size_t done) {
        report({.done = units.size() + done,
                .total = units.size() + defects.size(),
                .claim = defects[std::min(done, defects.size() - 1)]->id});
      });
  return outcomes;
}

}  // namespace rootdk
