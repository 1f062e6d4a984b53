#include <rootdk/reports/html_parts.hpp>
#include <rootdk/reports/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace rootdk::reports {
namespace {

using Json = nlohmann::ordered_json;

Json parse(const std::string& text, const char* array, const char* command) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains(array) || !json[array].is_array()) {
    throw std::invalid_argument(fmt::format(
        "report: --with wants what `rootdk {} --json` writes; it has no '{}'", command, array));
  }
  return json;
}

std::string text(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return "–";
  if (found->is_string()) return escape_html(found->get<std::string>());
  if (found->is_boolean()) return found->get<bool>() ? "yes" : "no";
  if (found->is_number()) return fmt::format("{:.4g}", found->get<double>());
  return escape_html(found->dump());
}

std::string listed(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array() || found->empty()) return "–";
  std::string out;
  for (const Json& item : *found) {
    const std::string id = escape_html(item.is_string() ? item.get<std::string>() : item.dump());
    out += fmt::format("{}<a href=\"#{}\">{}</a>", out.empty() ? "" : ", ", id, id);
  }
  return out;
}

std::string defects_html(const Json& json) {
  std::string rows;
  std::size_t seen = 0;
  for (const Json& defect : json["defects"]) {
    const bool refuted = defect.value("refuted", false);
    seen += refuted ? 1 : 0;
    rows += fmt::format(
        "<tr><td><code>{}</code><td class={}>{}<td class=n>{}<td class=n>{}<td class=n>{}<td "
        "class=n>{}<td>{}\n",
        text(defect, "id"), refuted ? "VERIFIED" : "REFUTED", refuted ? "refuted" : "not seen",
        text(defect, "samples"), text(defect, "predicted"), text(defect, "observed"),
        text(defect, "verified_others"), listed(defect, "by"));
  }
  std::string out = fmt::format(
      "<section id=kill-matrix><h2>Planted defects</h2><p>{} of {} planted defects are refuted.</p>"
      "<figure data-plot=kill></figure><details><summary>As a table</summary><div "
      "class=wide><table>"
      "<tr><th>Defect<th>Outcome<th>Samples<th>Seen: predicted<th>observed<th>Claims that still "
      "hold<th>Refuted by\n{}</table></div></details>",
      seen, json["defects"].size(), rows);
  const auto equivalents = json.find("equivalents");
  if (equivalents != json.end() && equivalents->is_array() && !equivalents->empty()) {
    out += "<h3>Equivalent forms, which must stay verified</h3><table><tr><th>Form<th>Verdict\n";
    for (const Json& form : *equivalents) {
      out += fmt::format("<tr><td><code>{}</code><td class=\"{}\">{}\n", text(form, "id"),
                         text(form, "verdict"), text(form, "verdict"));
    }
    out += "</table>";
  }
  return out + "</section>\n";
}

std::string calibration_html(const Json& json) {
  std::string out =
      "<section id=calibration><h2>Declared and measured error rates</h2><p>α: a correct subject "
      "is "
      "refuted. β: a defect of size δ is missed. Measured on the tests themselves, at the rates "
      "that are used.</p><figure data-plot=calibration></figure><div "
      "class=wide><table><tr><th>Test family"
      "<th>Exact<th>α declared<th>α measured<th>β declared<th>β measured\n";
  for (const Json& family : json["families"]) {
    const Json alpha = family.value("alpha", Json::object());
    const Json beta = family.value("beta", Json::object());
    out += fmt::format("<tr><td>{}<td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}\n",
                       text(family, "family"), text(family, "exact"), text(alpha, "declared"),
                       text(alpha, "measured"), text(beta, "declared"), text(beta, "measured"));
  }
  return out + "</table></div></section>\n";
}

/// `checkers`[] {rule, found, wrong, refused, right}: the acceptance rules of gradient checkers on
/// the same wrong and right backward passes.
std::string checkers_html(const Json& json) {
  const auto checkers = json.find("checkers");
  if (checkers == json.end() || !checkers->is_array() || checkers->empty()) return {};
  std::string out =
      "<section id=checkers><h2>Gradient checkers</h2><p>Acceptance rules on the same backward "
      "passes, wrong and right.</p><div class=wide><table><tr><th>Rule<th>Wrong ones found<th>of"
      "<th>Right ones refused<th>of\n";
  for (const Json& rule : *checkers) {
    out += fmt::format("<tr><td>{}<td class=n>{}<td class=n>{}<td class=n>{}<td class=n>{}\n",
                       text(rule, "rule"), text(rule, "found"), text(rule, "wrong"),
                       text(rule, "refused"), text(rule, "right"));
  }
  return out + "</table></div></section>\n";
}

}  // namespace

std::string measured_html(const Measured& measured) {
  std::string out;
  try {
    if (!measured.calibration.empty()) {
      const Json json = parse(measured.calibration, "families", "calibrate");
      out += calibration_html(json) + checkers_html(json);
    }
    if (!measured.defects.empty()) {
      const Json json = parse(measured.defects, "defects", "defects");
      out += defects_html(json) + checkers_html(json);
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("report: --with: {}", error.what()));
  }
  return out;
}

}  // namespace rootdk::reports
