#include <rootdk/reports/console.hpp>
#include <rootdk/reports/junit.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <cmath>
#include <map>
#include <sstream>

namespace rootdk::reports {
namespace {

/// A decimal number, which is all that readers take.
std::string seconds(double value) {
  return std::isfinite(value) && value > 0 ? fmt::format("{:.3f}", value) : std::string("0.000");
}

enum class Outcome { passed, failure, error, skipped };

Outcome outcome_of(const ClaimRecord& claim, bool strict) {
  switch (claim.verdict) {
    case Verdict::verified:
      return Outcome::passed;
    case Verdict::broken:
      return Outcome::error;
    case Verdict::refuted:
    case Verdict::untrusted:
      return Outcome::failure;
    case Verdict::inconclusive:
      return strict ? Outcome::failure : Outcome::skipped;
    default:
      return Outcome::skipped;
  }
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(printable(value).c_str());
}

void append_outcome(pugi::xml_node node, const ClaimRecord& claim, bool strict) {
  constexpr const char* kinds[] = {"", "failure", "error", "skipped"};
  const Outcome kind = outcome_of(claim, strict);
  if (kind == Outcome::passed) return;
  pugi::xml_node outcome = node.append_child(kinds[static_cast<int>(kind)]);
  const std::optional<TestRecord> head = headline(claim);
  const std::string name(stats::name(claim.verdict));
  set(outcome, "message",
      fmt::format("{}{}{}", name, claim.reason.empty() ? "" : ": ",
                  claim.reason.empty() && head ? ": " + effect(*head) : claim.reason));
  if (kind == Outcome::skipped) return;
  set(outcome, "type", name);
  std::string text = claim.statement + "\n";
  if (head) text += describe(*head, {});
  outcome.text().set(printable(text).c_str());
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const ClaimRecord& claim, bool strict) {
    const Outcome outcome = outcome_of(claim, strict);
    ++tests;
    seconds += claim.wall_s;
    failures += outcome == Outcome::failure ? 1 : 0;
    errors += outcome == Outcome::error ? 1 : 0;
    skipped += outcome == Outcome::skipped ? 1 : 0;
  }
  void write(pugi::xml_node node) const {
    node.append_attribute("tests").set_value(tests);
    node.append_attribute("failures").set_value(failures);
    node.append_attribute("errors").set_value(errors);
    node.append_attribute("skipped").set_value(skipped);
    set(node, "time", rootdk::reports::seconds(seconds));
  }
};

}  // namespace

std::string to_junit(const Result& result, bool strict) {
  std::map<std::string, std::vector<const ClaimRecord*>> areas;
  Counts total;
  for (const ClaimRecord& claim : result.claims) {
    areas[claim.id.substr(0, claim.id.find('.'))].push_back(&claim);
    total.add(claim, strict);
  }
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "rootdk");
  total.write(suites);
  for (const auto& [area, claims] : areas) {
    pugi::xml_node suite = suites.append_child("testsuite");
    set(suite, "name", area);
    Counts counts;
    for (const ClaimRecord* claim : claims) counts.add(*claim, strict);
    counts.write(suite);
    for (const ClaimRecord* claim : claims) {
      pugi::xml_node node = suite.append_child("testcase");
      set(node, "name", claim->id);
      set(node, "classname", "rootdk." + area);
      set(node, "time", seconds(claim->wall_s));
      append_outcome(node, *claim, strict);
    }
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace rootdk::reports
