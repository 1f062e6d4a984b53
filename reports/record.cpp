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

std::vector<const TestRecord*> worst_first(const ClaimRecord& claim) {
  std::vector<const TestRecord*> order;
  for (const TestRecord& test : claim.configurations) order.push_back(&test);
  std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return worse(*a, *b); });
  return order;
}

std::vector<const ClaimRecord*> worst_first(const Result& result) {
  std::vector<const ClaimRecord*> order;
  for (const ClaimRecord& claim : result.claims) order.push_back(&claim);
  std::ranges::stable_sort(order, [](const ClaimRecord* a, const ClaimRecord* b) {
    if (a->verdict != b->verdict) return a->verdict > b->verdict;
    const TestRecord* x = headline(*a);
    const TestRecord* y = headline(*b);
    return x != nullptr && (y == nullptr || worse(*x, *y));
  });
  return order;
}

const TestRecord* headline(const ClaimRecord& claim) {
  const TestRecord* best = nullptr;
  const auto offer = [&](const TestRecord& test) {
    if (best == nullptr || test.verdict > best->verdict ||
        (test.verdict == best->verdict && severity(test) > severity(*best))) {
      best = &test;
    }
  };
  if (claim.verdict == Verdict::verified && !claim.pooled.empty()) return &claim.pooled.front();
  for (const TestRecord& test : claim.configurations) offer(test);
  for (const TestRecord& test : claim.pooled) offer(test);
  return best;
}

}  // namespace rootdk::reports
