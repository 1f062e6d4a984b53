#include <rootdk/reports/console.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rootdk::reports {
namespace {

// Lines of a failure are written for this many columns; on fewer they are broken.
constexpr int kComfortable = 100;

fmt::text_style verdict_style(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified:
      return fmt::fg(fmt::terminal_color::green);
    case Verdict::inconclusive:
      return fmt::fg(fmt::terminal_color::yellow);
    case Verdict::not_applicable:
      return fmt::fg(fmt::terminal_color::bright_black);
    default:
      return fmt::fg(fmt::terminal_color::red) | fmt::emphasis::bold;
  }
}

std::string painted(const ConsoleStyle& style, Verdict verdict, const std::string& text) {
  return style.color ? fmt::format(verdict_style(verdict), "{}", text) : text;
}

/// Number of columns of a UTF-8 text, one a code point, none for colours.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  bool escape = false;
  for (const char c : text) {
    escape = escape || c == '\x1b';
    if (!escape && (c & 0xC0) != 0x80) ++count;
    if (c == 'm') escape = false;
  }
  return count;
}

/// Text of the subject's or the claim's without line ends and control characters.
std::string one_line(std::string_view text) {
  std::string shown = printable(text);
  std::ranges::replace_if(
      shown, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return shown;
}

std::string cut(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  std::string result;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80 && ++used >= width) break;
    result += text[i];
  }
  return result + "…";
}

std::string padded(std::string_view text, std::size_t width) {
  const std::string shown = cut(text, width);
  return shown + std::string(width - std::min(width, columns(shown)), ' ');
}

/// One line broken at spaces so that it fits, continued with a deeper indent.
std::string wrapped_line(std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string out(line.substr(0, indent));
  std::size_t used = indent;
  for (std::size_t at = indent; at < line.size();) {
    const std::size_t next = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, next - at);
    const bool first = at == indent;
    if (!first && used + 1 + columns(word) > width) {
      out += "\n" + std::string(indent + 2, ' ');
      used = indent + 2;
    } else if (!first) {
      out += ' ';
      ++used;
    }
    out += word;
    used += columns(word);
    at = next + 1;
  }
  return out;
}

/// Lines that fit the terminal. A command, which is there to be copied, stays whole.
std::string wrapped(std::string_view text, const ConsoleStyle& style) {
  if (style.width >= kComfortable) return std::string(text);
  const auto width = static_cast<std::size_t>(std::max(style.width, 20));
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool command = line.find("rootdk replay") != std::string_view::npos;
    out += (command ? std::string(line) : wrapped_line(line, width)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string p_text(const TestRecord& test) {
  if (!std::isfinite(test.log10_p)) return "p = 0";
  if (test.log10_p < -300) return fmt::format("p = 1e{:.0f}", test.log10_p);
  return fmt::format("p = {:.2g}", test.p);
}

std::string row(const ClaimRecord& claim, const ConsoleStyle& style, std::size_t id_width) {
  const std::optional<TestRecord> head = headline(claim);
  std::string line =
      painted(style, claim.verdict, fmt::format("{:<14}", stats::name(claim.verdict)));
  line += " " + padded(one_line(claim.id), id_width);
  std::string detail;
  if (head && head->look > 0 && claim.verdict != Verdict::not_applicable) {
    detail = fmt::format("{} {}", head->check, effect(*head));
    if (head->law != "bound" && head->law != "dkw") {
      detail += fmt::format(" in [{:.4g}, {:.4g}]", head->interval[0], head->interval[1]);
    }
  }
  if (!claim.reason.empty()) detail += fmt::format(" {}", one_line(claim.reason));
  const auto width = static_cast<std::size_t>(std::max(style.width, 20));
  if (style.width < 60)
    return line + "\n" + (detail.empty() ? "" : "  " + cut(detail, width - 2) + "\n");
  line += " " + cut(detail, width - std::min(width - 10, 16 + id_width));
  return line + "\n";
}

void append_failure(std::string& out, const ClaimRecord& claim, const ConsoleStyle& style) {
  const auto limit = static_cast<std::size_t>(std::max(style.width, 20));
  out += fmt::format("\n{} {}\n{}\n",
                     painted(style, claim.verdict, std::string(stats::name(claim.verdict))),
                     one_line(claim.id), wrapped_line("  " + one_line(claim.statement), limit));
  if (!claim.reason.empty()) {
    out += wrapped_line("  reason: " + one_line(claim.reason), limit) + "\n";
  }
  const auto failing =
      std::ranges::count(claim.configurations, Verdict::refuted, &TestRecord::verdict);
  if (failing > 0) {
    out += fmt::format("  {} of {} tests in configurations refuted\n", failing,
                       claim.configurations.size());
  }
  if (claim.minimal) {
    out += wrapped("  simplest configuration that still fails, on fresh data:\n", style);
    out += describe(*claim.minimal, style);
  }
  if (const auto head = headline(claim)) out += describe(*head, style);
}

}  // namespace

std::string describe(const TestRecord& test, const ConsoleStyle& style) {
  std::string out =
      fmt::format("  {} {}: {} at {}\n", one_line(test.check),
                  painted(style, test.verdict, std::string(stats::name(test.verdict))),
                  effect(test), one_line(test.configuration));
  if (test.law == "bound") {
    out += fmt::format("    error {:.6g} u, tolerance {:.6g} u, {:.0f} comparisons\n", test.error_u,
                       test.tolerance_u, test.nu_used);
    if (!test.where.empty()) out += fmt::format("    {}\n", one_line(test.where));
  } else {
    out += fmt::format(
        "    estimate {:.17g}, expected {:.6g}, interval [{:.6g}, {:.6g}], δ {:.3g} %\n",
        test.estimate, test.expected, test.interval[0], test.interval[1], 100 * test.delta);
    const double past = std::isfinite(test.log10_p) ? std::log10(test.alpha) - test.log10_p : 0;
    out += fmt::format("    {}, share α {:.2g}{}; look {}, ν {:.0f} of {:.0f}\n", p_text(test),
                       test.alpha,
                       past > 0 ? fmt::format(" (10^{:.1f} past it)", past) : std::string(),
                       test.look, test.nu_used, test.nu_planned);
  }
  if (!test.reason.empty()) out += fmt::format("    reason: {}\n", one_line(test.reason));
  if (!test.replay.empty()) out += fmt::format("    rootdk replay '{}'\n", one_line(test.replay));
  return wrapped(out, style);
}

std::string to_console(const Result& result, const ConsoleStyle& style) {
  std::size_t id_width = 12;
  for (const ClaimRecord& claim : result.claims) id_width = std::max(id_width, claim.id.size());
  id_width = std::min(
      id_width, static_cast<std::size_t>(style.width < 60 ? std::max(style.width - 16, 10)
                                                          : std::max(20, style.width / 2 - 8)));
  std::string out;
  for (const ClaimRecord& claim : result.claims) {
    if (style.quiet && claim.verdict == Verdict::verified) continue;
    out += row(claim, style, id_width);
    if (!style.verbose) continue;
    for (const TestRecord& test : claim.configurations) out += describe(test, style);
  }
  for (const ClaimRecord& claim : result.claims) {
    if (claim.verdict != Verdict::verified && claim.verdict != Verdict::not_applicable) {
      append_failure(out, claim, style);
    }
  }
  double samples = 0;
  for (const ClaimRecord& claim : result.claims) samples += claim.samples;
  std::string counts = fmt::format("{} claims:", result.claims.size());
  for (const Verdict verdict : {Verdict::verified, Verdict::refuted, Verdict::untrusted,
                                Verdict::inconclusive, Verdict::broken, Verdict::not_applicable}) {
    const std::size_t n = count(result, verdict);
    if (n == 0 && verdict != Verdict::verified) continue;
    counts += " " + painted(style, verdict, fmt::format("{} {}", n, stats::name(verdict)));
  }
  counts += fmt::format(
      "\nfalse alarm of the whole run ≤ {:.2g} (declared {:.2g} + {:.2g} reserved), miss of each "
      "test ≤ {:.0e}\nsubject {}, effort {}, seed {}, {:.3g} samples, {:.1f} s on {} threads\n",
      result.ledger.alpha_total, result.ledger.alpha_declared, result.ledger.alpha_reserved,
      result.ledger.beta, one_line(result.run.subject), one_line(result.run.effort),
      result.run.seed, samples, result.run.wall_s, result.run.jobs);
  out += "\n" + wrapped(counts, style);
  return out;
}

}  // namespace rootdk::reports
