#include <rootdk/reports/console.hpp>
#include <rootdk/reports/junit.hpp>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <map>
#include <sstream>

namespace rootdk::reports {
namespace {

/// XML 1.0 has no place for control characters other than tab, line feed and carriage return.
std::string allowed(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') c = '?';
  }
  return text;
}

std::string seconds(double value) { return fmt::format("{:.3f}", value); }

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(allowed(value).c_str());
}

void append_outcome(pugi::xml_node node, const ClaimRecord& claim) {
  const char* kind = nullptr;
  switch (claim.verdict) {
    case Verdict::verified:
      return;
    case Verdict::broken:
      kind = "error";
      break;
    case Verdict::refuted:
    case Verdict::untrusted:
      kind = "failure";
      break;
    default:
      kind = "skipped";
  }
  pugi::xml_node outcome = node.append_child(kind);
  const TestRecord* head = headline(claim);
  const std::string name(stats::name(claim.verdict));
  set(outcome, "message",
      fmt::format("{}{}{}", name, claim.reason.empty() ? "" : ": ",
                  claim.reason.empty() && head != nullptr ? " " + effect(*head) : claim.reason));
  if (claim.verdict == Verdict::inconclusive || claim.verdict == Verdict::not_applicable) return;
  set(outcome, "type", name);
  std::string text = claim.statement + "\n";
  if (head != nullptr) text += describe(*head, {});
  outcome.text().set(allowed(text).c_str());
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const ClaimRecord& claim) {
    ++tests;
    seconds += claim.wall_s;
    switch (claim.verdict) {
      case Verdict::verified:
        break;
      case Verdict::broken:
        ++errors;
        break;
      case Verdict::refuted:
      case Verdict::untrusted:
        ++failures;
        break;
      default:
        ++skipped;
    }
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

std::string to_junit(const Result& result) {
  std::map<std::string, std::vector<const ClaimRecord*>> areas;
  Counts total;
  for (const ClaimRecord& claim : result.claims) {
    areas[claim.id.substr(0, claim.id.find('.'))].push_back(&claim);
    total.add(claim);
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
    for (const ClaimRecord* claim : claims) counts.add(*claim);
    counts.write(suite);
    for (const ClaimRecord* claim : claims) {
      pugi::xml_node node = suite.append_child("testcase");
      set(node, "name", claim->id);
      set(node, "classname", "rootdk." + area);
      set(node, "time", seconds(claim->wall_s));
      append_outcome(node, *claim);
    }
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace rootdk::reports
