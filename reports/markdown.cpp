#include <rootdk/reports/console.hpp>
#include <rootdk/reports/markdown.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rootdk::reports {
namespace {

// A job summary may have 1 MiB.
constexpr std::size_t kLimit = 1'000'000;
// Of one statement or reason.
constexpr std::size_t kText = 1000;

std::string shortened(std::string_view text) {
  // May cut within a code point; `printable`, which every text goes through, mends that.
  return text.size() <= kText ? std::string(text) : std::string(text.substr(0, kText)) + " …";
}

/// Lines as they are, in a fence longer than any run of backticks within it.
std::string fenced(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "text\n" + printable(text) + fence + "\n";
}

std::string failure(const ClaimRecord& claim) {
  const std::optional<TestRecord> head = headline(claim);
  std::string out =
      fmt::format("\n### {} {}\n\n{}\n\n", escape_markdown(stats::name(claim.verdict)),
                  escape_markdown(claim.id), escape_markdown(shortened(claim.statement)));
  if (!claim.reason.empty()) out += escape_markdown(shortened(claim.reason)) + "\n\n";
  std::string tests;
  if (claim.minimal) tests += describe(*claim.minimal, {});
  if (head) tests += describe(*head, {});
  if (!tests.empty() && tests.size() < 10 * kText) out += fenced(tests);
  return out;
}

std::string row(const ClaimRecord& claim) {
  const std::optional<TestRecord> head = headline(claim);
  return fmt::format("| {} | {} | {} | {} |\n", escape_markdown(stats::name(claim.verdict)),
                     escape_markdown(claim.id), escape_markdown(shortened(claim.statement)),
                     head ? escape_markdown(effect(*head)) : "");
}

}  // namespace

std::string to_markdown(const Result& result) {
  std::string out = fmt::format("# rootdk: {} of {} claims verified\n\n",
                                count(result, Verdict::verified), result.claims.size());
  out += fmt::format(
      "Subject {}, effort {}, seed {}. False alarm of the whole run ≤ {:.2g}, miss of each test ≤ "
      "{:.2g}.\n",
      escape_markdown(shortened(result.run.subject)), escape_markdown(result.run.effort),
      result.run.seed, result.ledger.alpha_total, result.ledger.beta);
  const auto order = worst_first(result);
  std::size_t left_out = 0;
  const auto append = [&](const std::string& text) {
    const bool fits = out.size() + text.size() < kLimit;
    if (fits) out += text;
    left_out += fits ? 0 : 1;
  };
  for (const ClaimRecord* claim : order) {
    const bool good =
        claim->verdict == Verdict::verified || claim->verdict == Verdict::not_applicable;
    if (!good && out.size() < kLimit / 2) append(failure(*claim));
  }
  out += "\n| Verdict | Claim | Statement | Effect |\n|---|---|---|---|\n";
  for (const ClaimRecord* claim : order) append(row(*claim));
  if (left_out > 0) out += fmt::format("\n{} entries more do not fit here.\n", left_out);
  return out;
}

}  // namespace rootdk::reports
