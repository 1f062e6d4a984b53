#include <rootdk/properties/figures.hpp>
#include <rootdk/properties/run.hpp>
#include <rootdk/stats/distributions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace rootdk {
namespace {

using reports::ClaimRecord;
using reports::ControlRecord;
using reports::TestRecord;
using stats::Verdict;

using ClaimRecords = std::vector<std::vector<TestRecord>>;  // [configuration][check]

// A control must be seen in every run of a lifetime: its own miss rate is far below the tests'.
constexpr double kControlMiss = 1e-12;
// A named defect is looked for in this many configurations; where it shows it shows at once.
constexpr std::size_t kDefectConfigurations = 12;
// Candidates of one shrinking; the reserve of the claim's α is shared among them.
constexpr std::size_t kShrinkBudget = 256;
// Of which failing configurations that are tried on fresh data before any is shrunk.
constexpr std::size_t kConfirmations = 16;

bool was_run(const TestRecord& record) {
  return record.verdict != Verdict::not_applicable && record.verdict != Verdict::broken &&
         record.nu_first > 0;
}

/// The first looks of all configurations together. Later looks stop early when the estimate is
/// good, which would bias their sum; the first look's size is fixed before anything is drawn.
stats::Evidence first_looks(const ClaimRecords& records, std::size_t check) {
  stats::Evidence sum;
  for (const auto& configuration : records) {
    if (!was_run(configuration[check])) continue;
    sum.nu += configuration[check].nu_first;
    sum.x += configuration[check].statistic_first;
  }
  return sum;
}

/// Records what a single look at claim-wide evidence says; estimates are relative to the claim.
TestRecord judge_pooled(std::string_view check, const stats::Law& law,
                        const stats::Evidence& evidence, const stats::Budget& budget,
                        double expected) {
  const stats::Finding finding = stats::test(law, evidence, budget);
  TestRecord record;
  record.configuration = "pooled";
  record.check = check;
  record.law = stats::name(law.kind);
  record.expected = expected;
  record.estimate = expected + finding.estimate;
  record.interval = {expected + finding.interval.low, expected + finding.interval.high};
  record.delta = budget.delta;
  record.alpha = budget.alpha;
  record.beta = budget.beta;
  record.p = finding.p;
  record.log10_p = finding.log10_p;
  record.nu_planned = record.nu_used = record.nu_first = evidence.nu;
  record.statistic = record.statistic_first = evidence.x;
  record.look = 1;
  if (finding.refuted) {
    record.verdict = Verdict::refuted;
  } else if (finding.equivalent) {
    record.verdict = Verdict::verified;
  } else {
    record.reason = "UNDERPOWERED";
  }
  return record;
}

/// A scale is relative to the claim, 1 when it holds; a mean is in standard deviations, 0.
double neutral(const stats::Law& law) { return law.kind == stats::LawKind::scale ? 1 : 0; }

/// The evidence of one slope: of all configurations of one group.
struct GroupSlope {
  const SlopeCheck* slope = nullptr;
  std::string group;
  double expected = 0;
  std::size_t points = 0;
  stats::Law law;
  stats::Evidence evidence;
};

/// Least-squares slope of log estimates of one group against log x.
///
/// ln(X/ν) of X ~ χ²(ν) has mean ψ(ν/2) − ln(ν/2) and the higher cumulants ψ^(r−1)(ν/2), so that
/// (slope − expected)·Sxx, a sum weighted by w = (x − mean)/variance, has known cumulants; as the sum
/// of ν = Sxx values of variance 1 it has the law `moment` of Σw³ψ″/Sxx and Σw⁴ψ‴/Sxx.
void fit(const PlannedClaim& claim, const ClaimRecords& records, GroupSlope& fitted) {
  struct Point {
    double x, y, half, variance;
  };
  std::vector<Point> points;
  const auto found = std::ranges::find(claim.claim->checks, fitted.slope->check, &Check::name);
  const auto check = static_cast<std::size_t>(found - claim.claim->checks.begin());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Configuration& at = claim.configurations[i];
    const TestRecord& record = records[i][check];
    if (fitted.slope->group(at) != fitted.group || !was_run(record)) continue;
    fitted.expected = fitted.slope->slope(at);
    const double half = record.nu_first / 2;
    points.push_back({.x = std::log(fitted.slope->x(at)),
                      .y = std::log(claim.claim->checks[check].expected(at) *
                                    record.statistic_first / record.nu_first) -
                           (stats::digamma(half) - std::log(half)),
                      .half = half,
                      .variance = stats::trigamma(half)});
  }
  double weight = 0;
  double mean_x = 0;
  for (const Point& p : points) {
    weight += 1 / p.variance;
    mean_x += p.x / p.variance;
  }
  mean_x /= weight;
  double third = 0;
  double fourth = 0;
  for (const Point& p : points) {
    const double w = (p.x - mean_x) / p.variance;
    fitted.evidence.nu += w * (p.x - mean_x);
    fitted.evidence.x += w * (p.y - fitted.expected * (p.x - mean_x));
    third += w * w * w * stats::polygamma(2, p.half);
    fourth += w * w * w * w * stats::polygamma(3, p.half);
  }
  fitted.points = points.size();
  fitted.law = stats::moment(third / fitted.evidence.nu, fourth / fitted.evidence.nu);
}

std::vector<GroupSlope> fit_slopes(const PlannedClaim& claim, const ClaimRecords& records) {
  std::vector<GroupSlope> result;
  for (const SlopeCheck& slope : claim.claim->slopes) {
    std::set<std::string> groups;
    for (const Configuration& at : claim.configurations) groups.insert(slope.group(at));
    for (const std::string& group : groups) {
      result.push_back({.slope = &slope, .group = group, .law = {}, .evidence = {}});
      fit(claim, records, result.back());
    }
  }
  return result;
}

/// α of one slope, shared by its claim's groups.
double slope_share(const PlannedClaim& claim, const std::vector<GroupSlope>& slopes) {
  return claim.alpha_slope * static_cast<double>(claim.claim->slopes.size()) /
         static_cast<double>(slopes.size());
}

std::vector<TestRecord> pooled_tests(const PlannedClaim& claim, const ClaimRecords& records,
                                     const RunSettings& settings) {
  std::vector<TestRecord> result;
  for (std::size_t k = 0; k < claim.checks.size(); ++k) {
    const PlannedCheck& planned = claim.checks[k];
    const stats::Evidence evidence = first_looks(records, k);
    if (planned.alpha_pooled == 0 || evidence.nu == 0) continue;
    const stats::Law law = pooled_law(*planned.check, claim.configurations);
    result.push_back(judge_pooled(planned.check->name, law, evidence,
                                  {.alpha = planned.alpha_pooled,
                                   .beta = settings.beta,
                                   .delta = planned.delta_pooled,
                                   .bias = planned.check->bias},
                                  neutral(law)));
  }
  const std::vector<GroupSlope> slopes = fit_slopes(claim, records);
  for (const GroupSlope& fitted : slopes) {
    if (fitted.points == 0) continue;  // not applicable to this subject
    const stats::Budget budget{.alpha = slope_share(claim, slopes),
                               .beta = settings.beta,
                               .delta = settings.effort->delta};
    TestRecord record;
    if (fitted.evidence.nu > 0) {
      record =
          judge_pooled(fitted.slope->name, fitted.law, fitted.evidence, budget, fitted.expected);
    } else {
      record.check = fitted.slope->name;
      record.reason = "VACUOUS";  // one abscissa has no slope
    }
    record.configuration = fitted.group;
    result.push_back(std::move(record));
  }
  return result;
}

/// Would the claim's own evidence, with an effect planted in it, be refuted? Both ways.
void plant_effect(const std::string& what, const stats::Law& law, const stats::Evidence& evidence,
                  double alpha, double bias, std::vector<ControlRecord>& controls) {
  const double effect = stats::smallest_effect(law, evidence.nu, alpha, kControlMiss) + bias;
  const bool scale = law.kind == stats::LawKind::scale;
  for (const double sign : {1.0, -1.0}) {
    stats::Evidence planted = evidence;
    planted.x = scale ? evidence.x * (1 + sign * effect) : evidence.x + sign * effect * evidence.nu;
    const stats::Finding finding = stats::test(
        law, planted, {.alpha = alpha, .beta = kControlMiss, .delta = effect, .bias = bias});
    controls.push_back({.name = scale ? fmt::format("{} × {:.5f}", what, 1 + sign * effect)
                                      : fmt::format("{} {:+.5f}", what, sign * effect),
                        .predicted = 1 - kControlMiss,
                        .observed = finding.refuted,
                        .samples = evidence.nu,
                        .by = "pooled"});
  }
}

void planted_effects(const PlannedClaim& claim, const ClaimRecords& records,
                     std::vector<ControlRecord>& controls) {
  for (std::size_t k = 0; k < claim.checks.size(); ++k) {
    const PlannedCheck& planned = claim.checks[k];
    const stats::Evidence evidence = first_looks(records, k);
    if (planned.alpha_pooled == 0 || evidence.nu == 0) continue;
    const stats::Law law = pooled_law(*planned.check, claim.configurations);
    const bool scale = law.kind == stats::LawKind::scale;
    plant_effect(std::string(planned.check->name) + (scale ? "" : " in sd"), law, evidence,
                 planned.alpha_pooled, planned.check->bias, controls);
  }
  const std::vector<GroupSlope> slopes = fit_slopes(claim, records);
  for (const GroupSlope& fitted : slopes) {
    if (!(fitted.evidence.nu > 0)) continue;
    plant_effect(fmt::format("{} {}", fitted.slope->name, fitted.group), fitted.law,
                 fitted.evidence, slope_share(claim, slopes), 0, controls);
  }
}

/// Does the claim see the defect? It is planted in the library, whatever the subject under test: two
/// faults at once could hide each other, and a subject from outside may lack the operation.
ControlRecord planted_defect(const PlannedClaim& claim, const std::string& id,
                             const RunSettings& settings, const std::atomic<bool>& stop) {
  ControlRecord control{.name = id, .predicted = 1, .by = {}};
  const Subject faulty = defect(id).plant(library());
  const std::size_t tries = std::min(kDefectConfigurations, claim.configurations.size());
  for (std::size_t i = 0; i < tries && !control.observed; ++i) {
    for (const TestRecord& record :
         evaluate(claim, claim.configurations[i], faulty, settings, stop)) {
      control.samples += record.nu_used;
      if (record.verdict != Verdict::refuted) continue;
      control.observed = true;
      control.by = record.check + " at " + record.configuration;
      break;
    }
  }
  return control;
}

/// A failing configuration is confirmed on fresh data, then made as simple as it still fails; each
/// candidate is judged by the confirming test alone, at its own share of the reserve.
std::optional<TestRecord> minimal_failure(const PlannedClaim& claim, const ClaimRecords& records,
                                          const Subject& subject, const RunSettings& settings,
                                          const std::atomic<bool>& stop) {
  const PlannedClaim sure = confirming(claim, settings);
  std::map<std::string, TestRecord> failures;
  const auto fails = [&](const Configuration& at) {
    for (TestRecord& record : evaluate(sure, at, subject, settings, stop, Data::fresh)) {
      if (record.verdict != Verdict::refuted) continue;
      failures.emplace(at.str(), std::move(record));
      return true;
    }
    return false;
  };
  // Fresh data may not show what is wrong, as a mask that hides it: then the next one is tried.
  std::size_t tried = 0;
  for (std::size_t i = 0; i < records.size() && tried < kConfirmations && !stop; ++i) {
    const bool failed = std::ranges::any_of(
        records[i], [](const TestRecord& r) { return r.verdict == Verdict::refuted; });
    if (!failed) continue;
    ++tried;
    if (!fails(claim.configurations[i])) continue;
    const Configuration smallest = shrink_configuration(
        claim.claim->domain, claim.configurations[i], kShrinkBudget - tried, fails);
    return failures.at(smallest.str());
  }
  return std::nullopt;
}

void decide_verdict(ClaimRecord& record) {
  std::size_t run = 0;
  const auto weigh = [&](const TestRecord& test) {
    if (test.verdict == Verdict::not_applicable) {
      // Configurations may lack different things, as a dtype and a scheme.
      const bool named = record.reason.find(test.reason) != std::string::npos;
      if (record.verdict != Verdict::not_applicable || named) return;
      record.reason += (record.reason.empty() ? "" : "; ") + test.reason;
      return;
    }
    ++run;
    if (test.verdict <= record.verdict) return;
    record.verdict = test.verdict;
    record.reason = test.reason;
  };
  record.verdict = Verdict::not_applicable;
  for (const TestRecord& test : record.configurations) weigh(test);
  for (const TestRecord& test : record.pooled) weigh(test);
  if (run == 0 && record.configurations.empty()) {
    record.verdict = Verdict::inconclusive;
    record.reason = "VACUOUS";
  }
  for (const ControlRecord& control : record.controls) {
    if (control.observed || record.verdict >= Verdict::untrusted) continue;
    record.verdict = Verdict::untrusted;
    record.reason = "not seen: " + control.name;
  }
}

}  // namespace

PlannedClaim confirming(PlannedClaim claim, const RunSettings& settings) {
  const stats::Ledger ledger(settings.alpha, settings.effort->slots);
  for (PlannedCheck& check : claim.checks) {
    check.alpha = ledger.confirmation_share(kShrinkBudget * claim.checks.size());
    check.nu_first = 0;
  }
  return claim;
}

ClaimRecord conclude(const PlannedClaim& planned, ClaimRecords records, const Subject& subject,
                     const RunSettings& settings, const std::atomic<bool>& stop) {
  const Claim& claim = *planned.claim;
  ClaimRecord result{.id = claim.id,
                     .statement = claim.statement,
                     .latex = claim.latex,
                     .source = claim.source,
                     .erratum = std::nullopt,
                     .premise = claim.premise,
                     .derivation = claim.derivation,
                     .domain = claim.domain.str(),
                     .method = claim.method,
                     .reason = {},
                     .pooled = pooled_tests(planned, records, settings),
                     .configurations = {},
                     .controls = {},
                     .minimal = std::nullopt,
                     .series = figures(claim.id, subject, settings.seed)};
  if (claim.erratum) result.erratum = {claim.erratum->says, claim.erratum->holds};
  result.minimal = minimal_failure(planned, records, subject, settings, stop);
  const bool applies = std::ranges::any_of(records, [](const auto& tests) {
    return std::ranges::any_of(tests,
                               [](const TestRecord& t) { return t.verdict == Verdict::verified; });
  });
  if (applies && !result.minimal) {
    planted_effects(planned, records, result.controls);
    if (!claim.defects.empty()) {
      result.controls.push_back(planted_defect(planned, claim.defects.front(), settings, stop));
    }
  }
  for (auto& configuration : records) {
    for (TestRecord& test : configuration) {
      result.samples += test.nu_used;
      result.configurations.push_back(std::move(test));
    }
  }
  decide_verdict(result);
  return result;
}

}  // namespace rootdk
