#include <rootdk/properties/matrix.hpp>
#include <rootdk/properties/parallel.hpp>

#include <algorithm>
#include <thread>

namespace rootdk {
namespace {

using reports::TestRecord;
using stats::Verdict;

bool is_named(const Defect& defect, const Claim& claim) {
  return std::ranges::any_of(defect.refuted_by,
                             [&](const std::string& id) { return names(id, claim.id); });
}

/// Samples until the first configuration that refutes, or none.
std::optional<double> refutation(const PlannedClaim& claim, const Subject& subject,
                                 const RunSettings& settings, const std::atomic<bool>& stop) {
  double samples = 0;
  for (const Configuration& at : claim.configurations) {
    for (const TestRecord& record : evaluate(claim, at, subject, settings, stop)) {
      samples += record.nu_used;
      if (record.verdict == Verdict::refuted) return samples;
    }
  }
  return std::nullopt;
}

DefectOutcome outcome(const Defect& defect, const std::vector<PlannedClaim>& full,
                      const std::vector<PlannedClaim>& quick, const RunSettings& settings,
                      const RunSettings& quick_settings, const std::atomic<bool>& stop) {
  DefectOutcome result{.id = defect.id,
                       .equivalent = defect.equivalent,
                       .by = {},
                       .missed = {},
                       .claims = full.size()};
  const Subject subject = defect.plant(library());
  for (std::size_t c = 0; c < full.size() && !stop; ++c) {
    const Claim& claim = *full[c].claim;
    const bool named = is_named(defect, claim) || defect.equivalent;
    const auto seen = named ? refutation(full[c], subject, settings, stop)
                            : refutation(quick[c], subject, quick_settings, stop);
    if (!seen) {
      ++result.verified_others;
      if (named && !defect.equivalent) result.missed.push_back(claim.id);
      continue;
    }
    if (named && !result.refuted) result.samples = *seen;
    result.refuted = result.refuted || named;
    result.by.push_back(claim.id);
  }
  return result;
}

}  // namespace

std::vector<DefectOutcome> kill_matrix(const std::vector<const Defect*>& defects,
                                       const RunSettings& settings,
                                       const std::function<void(const Progress&)>& report,
                                       const std::atomic<bool>& stop) {
  std::vector<const Claim*> all;
  for (const Claim& claim : all_claims()) all.push_back(&claim);
  RunSettings quick = settings;
  quick.effort = &effort_named("quick");
  stats::Ledger ledger(settings.alpha, settings.effort->slots);
  stats::Ledger quick_ledger(quick.alpha, quick.effort->slots);
  const std::vector<PlannedClaim> full_plan = plan(all, settings, ledger);
  const std::vector<PlannedClaim> quick_plan = plan(all, quick, quick_ledger);
  std::vector<DefectOutcome> outcomes(defects.size());
  const std::size_t jobs = settings.jobs > 0
                               ? settings.jobs
                               : std::max<std::size_t>(1, std::thread::hardware_concurrency());
  parallel_for(
      defects.size(), jobs, stop,
      [&](std::size_t i) {
        outcomes[i] = outcome(*defects[i], full_plan, quick_plan, settings, quick, stop);
      },
      [&](std::size_t done) {
        report({.done = done,
                .total = defects.size(),
                .claim = defects[std::min(done, defects.size() - 1)]->id});
      });
  return outcomes;
}

}  // namespace rootdk
