#include <rootdk/reports/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rootdk::reports {
namespace {

// Fields in the order in which they are written.
using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double to_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw std::invalid_argument(fmt::format("result: '{}' is not a number", text));
}

Json numbers(const std::vector<double>& values) {
  Json result = Json::array();
  for (const double value : values) result.push_back(number(value));
  return result;
}

std::vector<double> to_numbers(const Json& json) {
  std::vector<double> result;
  for (const Json& value : json) result.push_back(to_number(value));
  return result;
}

// One list of fields serves reading and writing, so that neither can forget one.
struct Writer {
  Json json = Json::object();
  void field(const char* name, const double& value) { json[name] = number(value); }
  void field(const char* name, const std::string& value) { json[name] = value; }
  void field(const char* name, const std::int64_t& value) { json[name] = value; }
  void field(const char* name, const std::uint64_t& value) { json[name] = value; }
  void field(const char* name, const bool& value) { json[name] = value; }
  void field(const char* name, const Verdict& value) {
    json[name] = std::string(stats::name(value));
  }
  void field(const char* name, const std::array<double, 2>& value) {
    json[name] = Json::array({number(value[0]), number(value[1])});
  }
  void field(const char* name, const std::vector<double>& value) { json[name] = numbers(value); }
  template <class T>
  void field(const char* name, const std::vector<T>& value);
  template <class T>
  void field(const char* name, const std::optional<T>& value);
};

struct Reader {
  const Json& json;
  const Json& at(const char* name) const {
    const auto found = json.find(name);
    if (found == json.end()) {
      throw std::invalid_argument(fmt::format("result: field '{}' is missing", name));
    }
    return *found;
  }
  void field(const char* name, double& value) const { value = to_number(at(name)); }
  void field(const char* name, std::string& value) const { value = at(name).get<std::string>(); }
  void field(const char* name, std::int64_t& value) const { value = at(name).get<std::int64_t>(); }
  void field(const char* name, std::uint64_t& value) const {
    value = at(name).get<std::uint64_t>();
  }
  void field(const char* name, bool& value) const { value = at(name).get<bool>(); }
  void field(const char* name, Verdict& value) const {
    value = stats::verdict_named(at(name).get<std::string>());
  }
  void field(const char* name, std::array<double, 2>& value) const {
    value = {to_number(at(name).at(0)), to_number(at(name).at(1))};
  }
  void field(const char* name, std::vector<double>& value) const { value = to_numbers(at(name)); }
  template <class T>
  void field(const char* name, std::vector<T>& value) const;
  template <class T>
  void field(const char* name, std::optional<T>& value) const;
};

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, TestRecord>
void fields(Visitor& v, Record& r) {
  v.field("configuration", r.configuration);
  v.field("check", r.check);
  v.field("law", r.law);
  v.field("expected", r.expected);
  v.field("estimate", r.estimate);
  v.field("interval", r.interval);
  v.field("delta", r.delta);
  v.field("unit", r.unit);
  v.field("alpha", r.alpha);
  v.field("beta", r.beta);
  v.field("p", r.p);
  v.field("log10_p", r.log10_p);
  v.field("nu_planned", r.nu_planned);
  v.field("nu_used", r.nu_used);
  v.field("statistic", r.statistic);
  v.field("nu_first", r.nu_first);
  v.field("statistic_first", r.statistic_first);
  v.field("look", r.look);
  v.field("verdict", r.verdict);
  v.field("reason", r.reason);
  v.field("error_u", r.error_u);
  v.field("tolerance_u", r.tolerance_u);
  v.field("where", r.where);
  v.field("replay", r.replay);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, ControlRecord>
void fields(Visitor& v, Record& r) {
  v.field("name", r.name);
  v.field("predicted", r.predicted);
  v.field("observed", r.observed);
  v.field("samples", r.samples);
  v.field("by", r.by);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, SeriesRecord>
void fields(Visitor& v, Record& r) {
  v.field("name", r.name);
  v.field("x_label", r.x_label);
  v.field("y_label", r.y_label);
  v.field("x", r.x);
  v.field("y", r.y);
  v.field("low", r.low);
  v.field("high", r.high);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, ErratumRecord>
void fields(Visitor& v, Record& r) {
  v.field("says", r.says);
  v.field("holds", r.holds);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, ClaimRecord>
void fields(Visitor& v, Record& r) {
  v.field("id", r.id);
  v.field("statement", r.statement);
  v.field("latex", r.latex);
  v.field("source", r.source);
  v.field("erratum", r.erratum);
  v.field("premise", r.premise);
  v.field("derivation", r.derivation);
  v.field("domain", r.domain);
  v.field("method", r.method);
  v.field("verdict", r.verdict);
  v.field("reason", r.reason);
  v.field("wall_s", r.wall_s);
  v.field("samples", r.samples);
  v.field("pooled", r.pooled);
  v.field("configurations", r.configurations);
  v.field("controls", r.controls);
  v.field("minimal", r.minimal);
  v.field("series", r.series);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, LedgerRecord>
void fields(Visitor& v, Record& r) {
  v.field("alpha_total", r.alpha_total);
  v.field("alpha_declared", r.alpha_declared);
  v.field("alpha_reserved", r.alpha_reserved);
  v.field("claim_slots", r.claim_slots);
  v.field("configuration_slots", r.configuration_slots);
  v.field("beta", r.beta);
}

template <class Visitor, class Record>
requires std::is_same_v<std::remove_const_t<Record>, RunRecord>
void fields(Visitor& v, Record& r) {
  v.field("version", r.version);
  v.field("compiler", r.compiler);
  v.field("flags", r.flags);
  v.field("seed", r.seed);
  v.field("effort", r.effort);
  v.field("alpha", r.alpha);
  v.field("subject", r.subject);
  v.field("jobs", r.jobs);
  v.field("started", r.started);
  v.field("wall_s", r.wall_s);
}

template <class T>
Json write(const T& record) {
  Writer writer;
  fields(writer, record);
  return writer.json;
}

template <class T>
T read(const Json& json) {
  T record;
  Reader reader{json};
  fields(reader, record);
  return record;
}

template <class T>
void Writer::field(const char* name, const std::vector<T>& value) {
  Json array = Json::array();
  for (const T& item : value) array.push_back(write(item));
  json[name] = std::move(array);
}
template <class T>
void Writer::field(const char* name, const std::optional<T>& value) {
  json[name] = value ? write(*value) : Json(nullptr);
}
template <class T>
void Reader::field(const char* name, std::vector<T>& value) const {
  value.clear();
  for (const Json& item : at(name)) value.push_back(read<T>(item));
}
template <class T>
void Reader::field(const char* name, std::optional<T>& value) const {
  value = at(name).is_null() ? std::nullopt : std::optional<T>(read<T>(at(name)));
}

}  // namespace

namespace {

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// Adds JSON text as an entry of an array two levels deep. A line of it ends at each line break, since
/// within strings they are escaped.
void add_entry(std::string& text, std::string_view entry) {
  text += "\n    ";
  for (const char c : entry) {
    text += c;
    if (c == '\n') text += "    ";
  }
}

}  // namespace

std::string to_json(const Result& result) {
  Json json;
  json["schema"] = kSchema;
  json["run"] = write(result.run);
  json["ledger"] = write(result.ledger);
  json["claims"] = Json::array();
  json["errata"] = Json::array();
  for (const ClaimRecord& claim : result.claims) {
    if (!claim.erratum) continue;
    json["errata"].push_back(
        {{"id", claim.id}, {"says", claim.erratum->says}, {"holds", claim.erratum->holds}});
  }
  // One claim after the other: as a tree of values all of them take several times their text.
  const std::string frame = dumped(json);
  constexpr std::string_view key = "\n  \"claims\": [";
  const std::size_t at = frame.find(key) + key.size();
  std::string text = frame.substr(0, at);
  for (const ClaimRecord& claim : result.claims) {
    if (&claim != &result.claims.front()) text += ',';
    add_entry(text, dumped(write(claim)));
  }
  if (!result.claims.empty()) text += "\n  ";
  text.append(frame, at);
  text += '\n';
  return text;
}

namespace {

/// Reads a stored form of one schema; whatever is wrong with it is said in one line.
template <class F>
auto parse(std::string_view text, std::string_view schema, F&& from) {
  try {
    const Json json = Json::parse(text);
    const std::string seen = json.is_object() ? json.value("schema", "") : "";
    if (seen != schema) {
      throw std::invalid_argument(fmt::format("schema is '{}', expected '{}'", seen, schema));
    }
    return from(json);
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("not a stored result: {}", error.what()));
  }
}

}  // namespace

Result from_json(std::string_view text) {
  return parse(text, kSchema, [](const Json& json) {
    const Reader reader{json};
    Result result;
    result.run = read<RunRecord>(reader.at("run"));
    result.ledger = read<LedgerRecord>(reader.at("ledger"));
    reader.field("claims", result.claims);
    return result;
  });
}

std::string to_json(const Part& part) {
  Json json;
  json["schema"] = kPartSchema;
  json["index"] = part.index;
  json["count"] = part.count;
  json["run"] = write(part.run);
  json["claims"] = part.claims;
  json["pairs"] = Json::array();
  for (const Part::Pair& pair : part.pairs) {
    Json tests = Json::array();
    for (const TestRecord& test : pair.tests) tests.push_back(write(test));
    json["pairs"].push_back({{"claim", pair.claim},
                             {"configuration", pair.configuration},
                             {"tests", std::move(tests)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Part part_from_json(std::string_view text) {
  return parse(text, kPartSchema, [](const Json& json) {
    const Reader reader{json};
    Part part;
    reader.field("index", part.index);
    reader.field("count", part.count);
    part.run = read<RunRecord>(reader.at("run"));
    part.claims = reader.at("claims").get<std::vector<std::string>>();
    for (const Json& item : reader.at("pairs")) {
      const Reader of_item{item};
      Part::Pair pair;
      of_item.field("claim", pair.claim);
      of_item.field("configuration", pair.configuration);
      of_item.field("tests", pair.tests);
      part.pairs.push_back(std::move(pair));
    }
    return part;
  });
}

}  // namespace rootdk::reports
