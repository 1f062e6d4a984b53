#include <rootdk/reports/html.hpp>
#include <rootdk/reports/html_parts.hpp>
#include <rootdk/reports/text.hpp>
#include <rootdk/reports/web_assets.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rootdk::reports {
namespace {

// Largest page; the data of as many tests are kept as fit, the worst of each claim.
constexpr std::size_t kPageLimit = 3'900'000;

std::string verdict_line(const Result& result) {
  const std::size_t all = result.claims.size() - count(result, Verdict::not_applicable);
  std::string out;
  for (const auto& [verdict, word] :
       {std::pair{Verdict::broken, "broken"}, std::pair{Verdict::refuted, "refuted"},
        std::pair{Verdict::untrusted, "untrusted"},
        std::pair{Verdict::inconclusive, "inconclusive"}}) {
    const std::size_t n = count(result, verdict);
    if (n > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, word);
  }
  if (all == 0) return "Nothing applies to this subject";
  if (out.empty())
    return all == 1 ? "The claim is verified" : fmt::format("All {} claims verified", all);
  return fmt::format("{} of {} claims", out, all);
}

const char* verdict_class(const Result& result) {
  const int code = exit_code(result);
  return code == 0 ? "VERIFIED" : code == 1 ? "REFUTED" : "INCONCLUSIVE";
}

std::string reproduce(const RunRecord& run) {
  std::string line = fmt::format("rootdk run --effort {} --seed {}", run.effort, run.seed);
  if (run.alpha != 1e-6) line += fmt::format(" --alpha {}", run.alpha);
  if (run.subject != "library") line += fmt::format(" --subject '{}'", run.subject);
  return line + " --html report.html";
}

std::string fact(const char* name, const std::string& value, const char* meaning = "") {
  return fmt::format("<div><dt>{}<dd><b>{}</b> {}</div>", name, escape_html(value), meaning);
}

std::string top(const Result& result) {
  double samples = 0;
  for (const ClaimRecord& claim : result.claims) samples += claim.samples;
  const std::string command = escape_html(reproduce(result.run));
  return fmt::format("<header class={}><p class=name>rootdk</p><h1>{}</h1><dl class=facts>",
                     verdict_class(result), verdict_line(result)) +
         fact("Claims", fmt::format("{}", result.claims.size()),
              escape_html(fmt::format("{} verified, {} not applicable",
                                      count(result, Verdict::verified),
                                      count(result, Verdict::not_applicable)))
                  .c_str()) +
         fact("α of the run", fmt::format("{:.2g}", result.ledger.alpha_total),
              "chance that a correct subject is refuted anywhere, at most") +
         fact("β of a test", fmt::format("{:.2g}", result.ledger.beta),
              "chance that it misses a defect of its δ, at most") +
         fact("Subject", result.run.subject) + fact("Effort", result.run.effort) +
         fact("Seed", fmt::format("{}", result.run.seed)) +
         fact("Samples", count_text(samples),
              escape_html(fmt::format("in {:.1f} s", result.run.wall_s)).c_str()) +
         fmt::format(
             "</dl><p class=again>Run it again: <code class=cmd>{0}</code>"
             "<button class=copy data-copy=\"{0}\" hidden>Copy</button></p></header>\n",
             command);
}

std::string claims_html(const Result& result) {
  std::string out =
      "<section id=claims><h2>Claims, worst first</h2><form class=tools hidden><label>Find <input "
      "type=search "
      "name=find></label><label>Verdict <select name=verdict><option "
      "value=\"\">all</select></label>"
      "<label>Area <select name=area><option value=\"\">all</select></label>"
      "<label>Sort <select name=sort><option value=rank>worst first<option value=id>by name"
      "<option value=samples>most samples<option value=seconds>most time</select></label>"
      "<output name=shown></output></form>\n"
      "<p class=key><svg class=iv viewBox=\"0 0 160 22\" aria-hidden=true><rect class=iv-b x=44 "
      "y=3 width=72 "
      "height=16 /><path class=iv-c d=\"M80 1v20\"/><path class=iv-i d=\"M70 11H96\"/><circle "
      "class=iv-d cx=83 "
      "cy=11 r=3.2 /></svg> the interval at level β against the claimed value and the band of ± δ; "
      "<svg class=iv viewBox=\"0 0 160 22\" aria-hidden=true><rect class=iv-b x=8 y=6 width=72 "
      "height=10 />"
      "<rect class=iv-e x=8 y=8 width=30 height=6 /><path class=iv-l d=\"M80 2v18\"/></svg> the "
      "largest error "
      "against its tolerance.</p>\n<div class=list>\n";
  std::size_t rank = 0;
  for (const ClaimRecord* claim : worst_first(result)) out += claim_html(*claim, rank++);
  return out + "</div></section>\n";
}

std::string errata_html(const Result& result) {
  std::string rows;
  for (const ClaimRecord& claim : result.claims) {
    if (!claim.erratum) continue;
    rows += fmt::format("<tr><td><a href=\"#{0}\">{0}</a><td>{1}<td>{2}\n", escape_html(claim.id),
                        escape_html(claim.erratum->says), escape_html(claim.erratum->holds));
  }
  if (rows.empty()) return {};
  return "<section id=errata><h2>Errata</h2><div class=wide><table><tr><th>Claim<th>As the source "
         "says<th>What holds\n" +
         rows + "</table></div></section>\n";
}

std::string ledger_html(const LedgerRecord& ledger) {
  const double unused = ledger.alpha_total - ledger.alpha_declared - ledger.alpha_reserved;
  return fmt::format(
      "<section id=ledger><h2>Ledger</h2><p>The chance of a false alarm is spent before anything "
      "is "
      "drawn; the sum bounds it under any dependence.</p><table><tr><th>α of<th>amount\n"
      "<tr><td>all tests of this run<td class=n>{:.4g}\n<tr><td>confirming and shrinking failures"
      "<td class=n>{:.4g}\n<tr><td>slots that are not used, of {} claims × {} configurations"
      "<td class=n>{:.4g}\n<tr><td><b>the whole run</b><td "
      "class=n><b>{:.4g}</b>\n</table></section>\n",
      ledger.alpha_declared, ledger.alpha_reserved, ledger.claim_slots, ledger.configuration_slots,
      unused, ledger.alpha_total);
}

std::string environment_html(const RunRecord& run) {
  return fmt::format(
      "<section id=environment><h2>Environment</h2><table><tr><th>Version<td>rootdk {}\n"
      "<tr><th>Compiler<td>{}\n<tr><th>Build<td>{}\n<tr><th>Threads<td>{}\n<tr><th>Started<td>{}\n"
      "<tr><th>Time<td>{:.1f} s\n</table></section>\n",
      escape_html(run.version), escape_html(run.compiler), escape_html(run.flags), run.jobs,
      escape_html(run.started), run.wall_s);
}

std::string plots_html() {
  if (!has_plots()) {
    return "<section id=plots><h2>Plots</h2><p>This page was written by a program that was built "
           "without npm, and has no plots.</p></section>\n";
  }
  return "<section id=plots><h2>Plots</h2><p class=without>Plots are drawn by the page's "
         "script.</p>"
         "<div class=figures></div></section>\n";
}

/// A library as it is. None holds "</script"; should a version, the backslash changes no string.
std::string script(std::string_view code) {
  std::string out = "<script>";
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find("</script", at), code.size());
    out += code.substr(at, end - at);
    if (end < code.size()) out += "<\\/script";
    at = end + (end < code.size() ? 8 : 0);
  }
  return out + "</script>\n";
}

/// The data of as many tests as `room` bytes hold.
std::string data_that_fits(const Result& result, const Measured& measured, std::size_t room) {
  std::size_t rows = 0;
  for (const ClaimRecord& claim : result.claims) rows += claim.configurations.size();
  // Beyond this many even the shortest rows do not fit.
  rows = std::min(rows, kPageLimit / 40);
  std::string data = page_data(result, measured, rows);
  while (data.size() > room && rows > 1000) {
    rows = std::min(rows * 9 / 10, rows * room / data.size());
    data = page_data(result, measured, rows);
  }
  return data;
}

std::string licences_html() {
  const std::string_view texts = web_assets().licences;
  if (texts.empty()) return {};
  return fmt::format(
      "<section id=licences><h2>Licences</h2><details><summary>Of the libraries in "
      "this page</summary><pre>{}</pre></details></section>\n",
      escape_html(texts));
}

}  // namespace

std::string to_html(const Result& result, const Measured& measured) {
  const WebAssets& web = web_assets();
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\"><meta name=color-scheme "
      "content=\"light dark\"><title>rootdk: {}</title><link rel=icon "
      "href=\"data:,\"><style>{}</style></head>"
      "<body>\n",
      verdict_line(result), web.style);
  out += top(result) + claims_html(result) + plots_html() + measured_html(measured) +
         errata_html(result);
  out += ledger_html(result.ledger) + environment_html(result.run) + licences_html();
  std::string scripts;
  for (const std::string_view library : {web.temml, web.vega, web.vega_lite, web.vega_embed}) {
    if (!library.empty()) scripts += script(library);
  }
  scripts += script(web.page);
  if (has_plots()) scripts += script(web.plots);
  const std::size_t used = std::min(out.size() + scripts.size(), kPageLimit);
  out += fmt::format("<script type=\"application/json\" id=data>{}</script>\n",
                     data_that_fits(result, measured, kPageLimit - used));
  return out + scripts + "</body></html>\n";
}

}  // namespace rootdk::reports
