#include <rootdk/properties/matrix.hpp>
#include <rootdk/properties/parallel.hpp>
#include <rootdk/stats/plan.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
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

/// The operations that a claim calls.
Touched calls_of(const PlannedClaim& claim, const RunSettings& settings,
                 const std::atomic<bool>& stop) {
  Touched seen;
  const Subject plain = library();
  Subject traced(plain.name());
  for (const auto& [key, kernel] : plain.kernels()) {
    traced.set(key,
               [&seen, operation = std::pair(key.op, key.pass), &kernel](
                   const Attributes& a, std::span<const Tensor> in, std::span<const Tensor> out) {
                 seen.insert(operation);
                 kernel(a, in, out);
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

/// What the configurations of a claim say of a subject, until the first that refutes.
struct Judged {
  bool holds = true;  ///< verified wherever it applies: undecided or broken is not
  std::optional<Refutation> refutation = std::nullopt;
};

Judged judge(const PlannedClaim& claim, const Subject& subject, const RunSettings& settings,
             const std::atomic<bool>& stop) {
  Judged result;
  Refutation at;
  for (std::size_t i = 0; i < claim.configurations.size() && !stop; ++i) {
    const auto records = evaluate(claim, claim.configurations[i], subject, settings, stop);
    for (std::size_t k = 0; k < records.size(); ++k) {
      at.samples += records[k].nu_used;
      const Verdict verdict = records[k].verdict;
      if (verdict != Verdict::verified && verdict != Verdict::not_applicable) result.holds = false;
      if (verdict != Verdict::refuted) continue;
      at.configuration = i;
      at.check = k;
      result.refutation = at;
      return result;
    }
  }
  return result;
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
  Judged judged = {};
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
  const std::size_t jobs = threads_for(settings.jobs);
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
        unit.judged =
            judge(planned.claims[unit.claim], subjects[unit.defect], planned.settings, stop);
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
    if (!unit.judged.holds) --outcome.verified_others;
    if (!unit.judged.refutation) {
      if (unit.named) outcome.missed.push_back(id);
      continue;
    }
    outcome.by.push_back(id);
    if (!unit.named || outcome.refuted) continue;
    outcome.refuted = true;
    outcome.samples = unit.judged.refutation->samples;
    first[unit.defect] = &unit;
  }
  parallel_for(
      defects.size(), jobs, stop,
      [&](std::size_t d) {
        if (first[d] == nullptr) return;
        repeat(full.claims[first[d]->claim], *first[d]->judged.refutation, subjects[d], settings,
               stop, outcomes[d]);
      },
      [&](std::size_t done) {
        report({.done = units.size() + done,
                .total = units.size() + defects.size(),
                .claim = defects[std::min(done, defects.size() - 1)]->id});
      });
  return outcomes;
}

}  // namespace rootdk
