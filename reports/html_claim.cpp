#include <rootdk/reports/html_parts.hpp>
#include <rootdk/reports/interval_svg.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rootdk::reports {
namespace {

constexpr std::size_t kInFull = 10;

std::string verdict_html(Verdict verdict) {
  std::string shown(stats::name(verdict));
  std::ranges::replace(shown, '_', ' ');
  return fmt::format("<span class=\"v {}\">{}</span>", stats::name(verdict), shown);
}

std::string p_html(const TestRecord& test) {
  if (test.law == "bound") return "–";
  if (!std::isfinite(test.log10_p)) return "0";
  return test.log10_p < -300 ? fmt::format("1e{:.0f}", test.log10_p)
                             : fmt::format("{:.2g}", test.p);
}

std::string replay_html(const TestRecord& test) {
  if (test.replay.empty()) return {};
  const std::string line = escape_html(fmt::format("rootdk replay '{}'", test.replay));
  return fmt::format(
      "<code class=cmd>{0}</code><button class=copy data-copy=\"{0}\" hidden>Copy</button>", line);
}

/// Expected and estimate, or tolerance and error in roundoffs.
std::string test_row(const TestRecord& test) {
  const bool bound = test.law == "bound";
  std::string out = fmt::format(
      "<tr><td><code>{}</code><td>{}<td class=n>{:.5g}{}<td class=n>{:.5g}{}<td class=svg>{}"
      "<td class=n>{}<td class=n>{}<td class=n>{}{}<td>{}<div class=sub>{}</div>\n",
      escape_html(test.configuration), escape_html(test.check),
      bound ? test.tolerance_u : test.expected, bound ? " u" : "",
      bound ? test.error_u : test.estimate, bound ? " u" : "", interval_svg(test),
      bound ? std::string("–") : fmt::format("{:.3g}", test.delta), p_html(test),
      count_text(test.nu_used),
      test.look > 0 && !bound ? fmt::format("<div class=sub>of {}, look {}</div>",
                                            count_text(test.nu_planned), test.look)
                              : std::string(),
      verdict_html(test.verdict), escape_html(test.reason.empty() ? effect(test) : test.reason));
  std::string below = replay_html(test);
  if (!test.where.empty())
    below += fmt::format(" <span class=where>{}</span>", escape_html(test.where));
  if (test.verdict != Verdict::verified && !below.empty()) {
    out += fmt::format("<tr class=more><td colspan=9>{}\n", below);
  }
  return out;
}

constexpr const char* kTestHead =
    "<div class=wide><table class=tests><tr><th>Configuration<th>Check<th>Expected<th>Estimate"
    "<th>Interval against δ<th>δ<th>p<th>ν<th>Verdict\n";

std::string tests_html(const ClaimRecord& claim) {
  std::string out;
  if (!claim.pooled.empty()) {
    out += std::string("<h4>All configurations together</h4>") + kTestHead;
    for (const TestRecord& test : claim.pooled) out += test_row(test);
    out += "</table></div>";
  }
  if (claim.minimal) {
    out += std::string("<h4>Simplest configuration that still fails, on fresh data</h4>") +
           kTestHead + test_row(*claim.minimal) + "</table></div>";
  }
  const auto order = worst_first(claim);
  if (order.empty()) return out;
  const std::size_t shown = std::min(order.size(), kInFull);
  out += fmt::format(
      "<h4>{} tests in configurations{}</h4>{}", order.size(),
      order.size() > shown ? fmt::format(", the {} nearest to their limits", shown) : "",
      kTestHead);
  for (std::size_t i = 0; i < shown; ++i) out += test_row(order[i]);
  out += "</table></div>";
  if (order.size() > shown) out += "<div class=compact></div>";
  out += fmt::format("<h4>Replay</h4><p>{}</p>", replay_html(order.front()));
  return out;
}

std::string controls_html(const ClaimRecord& claim) {
  if (claim.controls.empty()) return {};
  std::string out =
      "<h4>Controls: what this claim must see, and did</h4><div class=wide><table><tr><th>Planted"
      "<th>Predicted<th>Seen<th>Samples<th>By\n";
  for (const ControlRecord& control : claim.controls) {
    out += fmt::format(
        "<tr><td><code>{}</code><td class=n>{:.4g}<td class=\"{}\">{}<td class=n>{:.4g}<td>{}\n",
        escape_html(control.name), control.predicted, control.observed ? "VERIFIED" : "REFUTED",
        control.observed ? "seen" : "not seen", control.samples, escape_html(control.by));
  }
  return out + "</table></div>";
}

void append_fact(std::string& out, const char* name, const std::string& text) {
  if (!text.empty()) out += fmt::format("<dt>{}<dd>{}", name, escape_html(text));
}

/// The effect; where that is not what decided, the reason, cut.
std::string short_outcome(const ClaimRecord& claim, const std::optional<TestRecord>& head) {
  const bool by_effect = claim.verdict == Verdict::verified || claim.verdict == Verdict::refuted;
  if ((by_effect || claim.reason.empty()) && head) return effect(*head);
  constexpr std::size_t longest = 60;
  return claim.reason.size() <= longest ? claim.reason : claim.reason.substr(0, longest) + "…";
}

}  // namespace

std::string claim_html(const ClaimRecord& claim, std::size_t rank) {
  const std::optional<TestRecord> head = headline(claim);
  const std::string id = escape_html(claim.id);
  std::string out = fmt::format(
      "<details class=claim id=\"{0}\" data-verdict={1} data-rank={2} data-samples={3:.0f} "
      "data-seconds={4:.3f}><summary>{5}<span class=id>{0}</span><span class=says>{6}</span>"
      "<span class=svg>{7}</span><span class=effect>{8}</span></summary>\n<div class=body>",
      id, stats::name(claim.verdict), rank, claim.samples, claim.wall_s,
      verdict_html(claim.verdict), escape_html(claim.statement), head ? interval_svg(*head) : "",
      escape_html(short_outcome(claim, head)));
  if (!claim.reason.empty())
    out += fmt::format("<p class=reason>{}</p>", escape_html(claim.reason));
  if (!claim.latex.empty()) {
    out += fmt::format("<p class=formula><code>{}</code></p>", escape_html(claim.latex));
  }
  out += "<dl>";
  append_fact(out, "Source", claim.source);
  if (claim.erratum) {
    append_fact(out, "The source says", claim.erratum->says);
    append_fact(out, "What holds", claim.erratum->holds);
  }
  append_fact(out, "Premise", claim.premise);
  append_fact(out, "Derivation", claim.derivation);
  append_fact(out, "Method", claim.method);
  append_fact(out, "Domain", claim.domain);
  append_fact(
      out, "Evidence",
      fmt::format("{} samples, {:.2f} core seconds", count_text(claim.samples), claim.wall_s));
  out += "</dl>" + tests_html(claim) + controls_html(claim);
  out += fmt::format("<p class=self><a href=\"#{0}\">Link to this claim</a></p></div></details>\n",
                     id);
  return out;
}

}  // namespace rootdk::reports
