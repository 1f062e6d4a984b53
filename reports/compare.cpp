#include <rootdk/reports/compare.hpp>
#include <rootdk/stats/distributions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace rootdk::reports {
namespace {

/// Tests of the same check in the same configuration, which may differ by more than chance.
struct Pair {
  std::string claim;
  TestRecord before;
  TestRecord after;
  double p = 1;
};
/// Of all pairs those that may be among the significant ones, so that not all are kept.
struct Pairs {
  std::size_t count = 0;
  std::vector<Pair> suspicious;
};

/// Two variances. X e/σ² ~ χ²(ν) in both results if the true variance σ² is the same, so that their
/// ratio is F, also where the claimed value e changed.
double two_variances(const TestRecord& a, const TestRecord& b) {
  const double ratio =
      (b.statistic_first * b.expected / b.nu_first) / (a.statistic_first * a.expected / a.nu_first);
  return 2 * std::min(stats::f_lower(b.nu_first, a.nu_first, ratio),
                      stats::f_upper(b.nu_first, a.nu_first, ratio));
}

/// Two means of standardised normal values.
double two_means(const TestRecord& a, const TestRecord& b) {
  const double mean = [](const TestRecord& t) {
    return t.expected + t.unit * t.statistic_first / t.nu_first;
  }(b) - (a.expected + a.unit * a.statistic_first / a.nu_first);
  const double sd = std::hypot(a.unit / std::sqrt(a.nu_first), b.unit / std::sqrt(b.nu_first));
  return 2 * stats::normal_upper(std::abs(mean) / sd);
}

/// Smallest α at which the exact (Clopper–Pearson) intervals of the two probabilities, each at α/2,
/// do not meet: at most what Fisher's test would find, and exact by the union bound.
double two_proportions(const TestRecord& a, const TestRecord& b) {
  const bool rises = b.statistic_first / b.nu_first > a.statistic_first / a.nu_first;
  const TestRecord& less = rises ? a : b;
  const TestRecord& more = rises ? b : a;
  const auto apart = [&](double alpha) {
    const double tail = alpha / 4;
    const double top = less.statistic_first >= less.nu_first
                           ? 1
                           : stats::beta_upper_quantile(less.statistic_first + 1,
                                                        less.nu_first - less.statistic_first, tail);
    const double bottom =
        more.statistic_first <= 0
            ? 0
            : stats::beta_lower_quantile(more.statistic_first,
                                         more.nu_first - more.statistic_first + 1, tail);
    return top < bottom;
  };
  if (!apart(1)) return 1;
  double low = -300;
  double high = 0;
  while (high - low > 1e-3) {
    const double middle = (low + high) / 2;
    (apart(std::pow(10, middle)) ? high : low) = middle;
  }
  return std::pow(10, high);
}

bool has_two_sample_test(std::string_view law) {
  return law == "chi_squared" || law == "normal" || law == "binomial";
}

bool comparable(const TestRecord& a, const TestRecord& b) {
  const bool usable = a.law == b.law && has_two_sample_test(a.law) && a.nu_first > 0 &&
                      b.nu_first > 0 && std::isfinite(a.statistic_first) &&
                      std::isfinite(b.statistic_first);
  if (a.law != "chi_squared") return usable;
  return usable && a.statistic_first > 0 && b.statistic_first > 0 && a.expected > 0 &&
         b.expected > 0;
}

double two_sample_p(const TestRecord& a, const TestRecord& b) {
  if (a.law == "chi_squared") return two_variances(a, b);
  return a.law == "normal" ? two_means(a, b) : two_proportions(a, b);
}

/// @param tests of a claim, as a list or a vector
template <class Tests>
void append_pairs(const std::string& claim, const Tests& before, const Tests& after, double alpha,
                  Pairs& pairs) {
  std::map<std::pair<std::string, std::string>, TestRecord> known;
  for (const TestRecord& test : before) known[{test.configuration, test.check}] = test;
  for (const TestRecord& test : after) {
    const auto found = known.find({test.configuration, test.check});
    if (found == known.end() || !comparable(found->second, test)) continue;
    ++pairs.count;
    const double p = two_sample_p(found->second, test);
    if (p <= alpha) pairs.suspicious.push_back({claim, found->second, test, p});
  }
}

void append_shifts(const Pairs& pairs, double alpha, Comparison& result) {
  result.tests += pairs.count;
  for (const Pair& pair : pairs.suspicious) {
    const TestRecord& a = pair.before;
    const TestRecord& b = pair.after;
    if (!(pair.p <= alpha / static_cast<double>(pairs.count))) continue;
    const bool away = std::abs(b.estimate - b.expected) > std::abs(a.estimate - a.expected);
    result.changes.push_back(
        {.kind = away ? Change::Kind::shifted_away : Change::Kind::shifted_back,
         .claim = pair.claim,
         .text = fmt::format("{:.5g} → {:.5g}, claimed {:.5g}", a.estimate, b.estimate, b.expected),
         .where = b.check + " at " + b.configuration,
         .p = pair.p});
  }
}

void compare_claims(const ClaimRecord& before, const ClaimRecord& after, Comparison& result) {
  const bool was = before.verdict == Verdict::verified;
  const bool is = after.verdict == Verdict::verified;
  if (was != is) {
    const std::string reason = after.reason.empty() ? "" : " (" + after.reason + ")";
    result.changes.push_back(
        {.kind = was ? Change::Kind::newly_failing : Change::Kind::newly_passing,
         .claim = after.id,
         .text = fmt::format("{} → {}{}", stats::name(before.verdict), stats::name(after.verdict),
                             reason),
         .where = {}});
  }
  std::map<std::string, double> deltas;
  for (const TestRecord& test : before.configurations) {
    deltas[test.check] = std::max(deltas[test.check], test.delta);
  }
  std::map<std::string, double> now;
  for (const TestRecord& test : after.configurations)
    now[test.check] = std::max(now[test.check], test.delta);
  const auto plan = [&](std::string text) {
    result.changes.push_back(
        {.kind = Change::Kind::plan, .claim = after.id, .text = std::move(text), .where = {}});
  };
  for (const auto& [check, delta] : now) {
    const auto found = deltas.find(check);
    if (found == deltas.end() || found->second == delta) continue;
    plan(fmt::format("δ of {}: {:.4g} → {:.4g}", check, found->second, delta));
  }
  // Early stopping moves the number of samples by itself; beyond a factor two it is another plan.
  if (before.samples > 0 &&
      (after.samples > 2 * before.samples || 2 * after.samples < before.samples)) {
    plan(fmt::format("samples: {:.4g} → {:.4g}", before.samples, after.samples));
  }
}

}  // namespace

bool is_regression(const Change& change) {
  return change.kind == Change::Kind::newly_failing || change.kind == Change::Kind::shifted_away;
}

bool is_regression(const Comparison& comparison) {
  return std::ranges::any_of(comparison.changes, [](const Change& c) { return is_regression(c); });
}

Comparison compare(const Result& before, const Result& after, double alpha) {
  if (before.run.effort != after.run.effort) {
    throw std::invalid_argument(
        fmt::format("compare: the results are of different efforts, '{}' and '{}': their tests see "
                    "different effects",
                    before.run.effort, after.run.effort));
  }
  Comparison result{.changes = {}, .alpha = alpha};
  std::map<std::string_view, const ClaimRecord*> known;
  for (const ClaimRecord& claim : before.claims) known[claim.id] = &claim;
  Pairs pooled;
  Pairs single;
  for (const ClaimRecord& claim : after.claims) {
    const auto found = known.find(claim.id);
    if (found == known.end()) {
      result.changes.push_back({.kind = Change::Kind::appeared,
                                .claim = claim.id,
                                .text = std::string(stats::name(claim.verdict)),
                                .where = {}});
      continue;
    }
    compare_claims(*found->second, claim, result);
    const ClaimRecord& earlier = *found->second;
    append_pairs(claim.id, earlier.pooled, claim.pooled, alpha / 2, pooled);
    append_pairs(claim.id, earlier.configurations, claim.configurations, alpha / 2, single);
    known.erase(found);
  }
  for (const auto& [id, claim] : known) {
    result.changes.push_back({.kind = Change::Kind::vanished,
                              .claim = std::string(id),
                              .text = std::string(stats::name(claim->verdict)),
                              .where = {}});
  }
  append_shifts(pooled, alpha / 2, result);
  append_shifts(single, alpha / 2, result);
  std::ranges::stable_sort(result.changes, {}, [](const Change& c) { return !is_regression(c); });
  return result;
}

std::string to_console(const Comparison& comparison) {
  constexpr std::string_view names[] = {"NEWLY FAILING", "SHIFTED AWAY", "newly passing",
                                        "shifted back",  "appeared",     "vanished",
                                        "plan"};
  std::string out;
  std::size_t regressions = 0;
  for (const Change& change : comparison.changes) {
    regressions += is_regression(change) ? 1 : 0;
    out += fmt::format("{:<13} {}{}{}: {}", names[static_cast<std::size_t>(change.kind)],
                       change.claim, change.where.empty() ? "" : ", ", change.where, change.text);
    if (!change.where.empty()) out += fmt::format(", two-sample p = {:.2g}", change.p);
    out += "\n";
  }
  return out +
         fmt::format(
             "{} regressions, {} other changes; {} two-sample tests, false alarm of all ≤ {:.2g}\n",
             regressions, comparison.changes.size() - regressions, comparison.tests,
             comparison.alpha);
}

}  // namespace rootdk::reports
