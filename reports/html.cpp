#include <rootdk/reports/html.hpp>

#include <fmt/format.h>

namespace rootdk::reports {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: .9em; overflow-wrap: anywhere; }
.VERIFIED { color: #1a7f37; } .REFUTED, .UNTRUSTED, .BROKEN { color: #cf222e; font-weight: 600; }
.INCONCLUSIVE { color: #9a6700; } .NOT_APPLICABLE { opacity: .6; }
details > summary { cursor: pointer; }
.wide { overflow-x: auto; }
)";

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string test_row(const TestRecord& test) {
  return fmt::format(
      "<tr><td><code>{}</code><td>{}<td class=n>{:.5g}<td class=n>{:.5g}<td class=n>[{:.5g}, "
      "{:.5g}]"
      "<td class=n>{:.2g}<td class=n>{:.0f}<td class={}>{}\n",
      escape(test.configuration), escape(test.check), test.expected, test.estimate,
      test.interval[0], test.interval[1], test.p, test.nu_used, stats::name(test.verdict),
      escape(effect(test)));
}

void append_claim(std::string& out, const ClaimRecord& claim) {
  out += fmt::format("<section id=\"{0}\"><h3>{0} <span class={1}>{1}</span></h3><p>{2}</p>\n",
                     escape(claim.id), stats::name(claim.verdict), escape(claim.statement));
  out += fmt::format("<p><code>{}</code></p><p>Source: {}. Method: {}. Domain: {}.</p>\n",
                     escape(claim.latex), escape(claim.source), escape(claim.method),
                     escape(claim.domain));
  if (!claim.derivation.empty()) out += fmt::format("<p>{}</p>\n", escape(claim.derivation));
  out +=
      "<details><summary>Evidence</summary><div class=wide><table><tr><th>Configuration<th>Check"
      "<th>Expected<th>Estimate<th>Interval<th>p<th>ν<th>Effect\n";
  for (const TestRecord& test : claim.pooled) out += test_row(test);
  for (const TestRecord& test : claim.configurations) out += test_row(test);
  out += "</table></div></details></section>\n";
}

}  // namespace

std::string to_html(const Result& result) {
  const std::size_t verified = count(result, Verdict::verified);
  std::string out = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8>"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
      "<title>rootdk: {0} of {1} claims verified</title><style>{2}</style>\n"
      "<h1>{0} of {1} claims verified</h1>\n"
      "<p>Subject <b>{3}</b>, effort {4}, seed {5}. Probability that a correct subject is refuted "
      "anywhere: at most {6:.2g}; that a test misses an effect of its δ: at most {7:.0e}.</p>\n"
      "<p><code>rootdk run --effort {4} --seed {5} --subject {3}</code></p>\n",
      verified, result.claims.size(), kStyle, escape(result.run.subject), escape(result.run.effort),
      result.run.seed, result.ledger.alpha_total, result.ledger.beta);
  out += "<table><tr><th>Verdict<th>Claim<th>Statement<th>Effect\n";
  for (const ClaimRecord& claim : result.claims) {
    const TestRecord* head = headline(claim);
    out += fmt::format("<tr><td class={0}>{0}<td><a href=\"#{1}\">{1}</a><td>{2}<td class=n>{3}\n",
                       stats::name(claim.verdict), escape(claim.id), escape(claim.statement),
                       head != nullptr ? escape(effect(*head)) : "");
  }
  out += "</table>\n<h2>Errata</h2><table><tr><th>Claim<th>The source says<th>What holds\n";
  for (const ClaimRecord& claim : result.claims) {
    if (!claim.erratum) continue;
    out += fmt::format("<tr><td>{}<td>{}<td>{}\n", escape(claim.id), escape(claim.erratum->says),
                       escape(claim.erratum->holds));
  }
  out += "</table>\n<h2>Claims</h2>\n";
  for (const ClaimRecord& claim : result.claims) append_claim(out, claim);
  out += fmt::format("<footer><p>rootdk {}, {}, {}; started {}, {:.1f} s.</p></footer></html>\n",
                     escape(result.run.version), escape(result.run.compiler),
                     escape(result.run.flags), escape(result.run.started), result.run.wall_s);
  return out;
}

}  // namespace rootdk::reports
