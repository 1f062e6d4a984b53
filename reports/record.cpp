#include <rootdk/reports/record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rootdk::reports {

std::size_t count(const Result& result, Verdict verdict) {
  return static_cast<std::size_t>(
      std::ranges::count(result.claims, verdict, &ClaimRecord::verdict));
}

int exit_code(const Result& result) {
  if (count(result, Verdict::refuted) + count(result, Verdict::untrusted) > 0) return 1;
  if (count(result, Verdict::inconclusive) + count(result, Verdict::broken) > 0) return 3;
  return count(result, Verdict::verified) > 0 ? 0 : 4;
}

std::string effect(const TestRecord& test) {
  if (test.law == "bound") {
    if (test.error_u == 0) return "exact";
    if (!std::isfinite(test.error_u)) return "not finite or false";
    return fmt::format("error {:.3g} u of {:.3g} u", test.error_u, test.tolerance_u);
  }
  if (test.law == "dkw") return fmt::format("distance {:.4f}", test.estimate);
  if (test.law == "share") return fmt::format("share {:.3g}", test.estimate);
  const bool mean = test.law == "normal" || test.law == "moment" || test.law == "binomial";
  if (mean || test.expected == 0) return fmt::format("{:+.4g}", test.estimate - test.expected);
  const double ratio = test.estimate / test.expected;
  if (ratio > 2 || ratio < 0.5) return fmt::format("×{:.3g}", ratio);
  return fmt::format("{:+.2f} %", 100 * (ratio - 1));
}

double severity(const TestRecord& test) {
  if (test.verdict == Verdict::refuted) return 1e6 - test.log10_p;
  if (test.law == "bound") return test.tolerance_u > 0 ? test.error_u / test.tolerance_u : 0;
  const double delta = test.delta * std::abs(test.unit);
  if (!(delta > 0)) return 0;
  return std::max(std::abs(test.interval[0] - test.expected),
                  std::abs(test.interval[1] - test.expected)) /
         delta;
}

namespace {

bool worse(const TestRecord& a, const TestRecord& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  // NaN is worse than any number, so that the order is total.
  const double x = severity(a);
  const double y = severity(b);
  return std::isnan(x) ? !std::isnan(y) : x > y;
}

}  // namespace

std::vector<TestRecord> worst_first(const ClaimRecord& claim) {
  std::vector<TestRecord> order = claim.configurations.all();
  std::ranges::stable_sort(order, worse);
  return order;
}

std::vector<const ClaimRecord*> worst_first(const Result& result) {
  struct Entry {
    const ClaimRecord* claim;
    std::optional<TestRecord> head;
  };
  std::vector<Entry> entries;
  for (const ClaimRecord& claim : result.claims) entries.push_back({&claim, headline(claim)});
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    if (a.claim->verdict != b.claim->verdict) return a.claim->verdict > b.claim->verdict;
    return a.head && (!b.head || worse(*a.head, *b.head));
  });
  std::vector<const ClaimRecord*> order;
  for (const Entry& entry : entries) order.push_back(entry.claim);
  return order;
}

std::optional<TestRecord> headline(const ClaimRecord& claim) {
  std::optional<TestRecord> best;
  const auto offer = [&](const TestRecord& test) {
    if (!best || test.verdict > best->verdict ||
        (test.verdict == best->verdict && severity(test) > severity(*best))) {
      best = test;
    }
  };
  if (claim.verdict == Verdict::verified && !claim.pooled.empty()) return claim.pooled.front();
  for (const TestRecord& test : claim.configurations) offer(test);
  for (const TestRecord& test : claim.pooled) offer(test);
  return best;
}

}  // namespace rootdk::reports
