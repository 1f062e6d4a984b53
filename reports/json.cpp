#include <rootdk/reports/fields.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <istream>
#include <limits>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

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
  void field(const char* name, const TestList& value);
  template <class T>
  void field(const char* name, const std::vector<T>& value);
  template <class T>
  void field(const char* name, const std::optional<T>& value);
};

/// Of a list whose objects were taken out while the document was read nothing is left.
void require_taken(const Json& list, const char* name) {
  if (list.is_array() && list.empty()) return;
  throw std::invalid_argument(fmt::format("result: '{}' is no list of objects", name));
}

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
  void field(const char* name, TestList& value) const;
  template <class T>
  void field(const char* name, std::vector<T>& value) const;
  template <class T>
  void field(const char* name, std::optional<T>& value) const;
};

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

// `write_json` puts the tests in their place, one after the other.
void Writer::field(const char* name, const TestList&) { json[name] = Json::array(); }
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
// The tests were taken out while the document was read.
void Reader::field(const char* name, TestList&) const { require_taken(at(name), name); }
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

/// Writes an object whose list `name` is still empty, with the entries that the list has: the one after the
/// other, so that memory holds no more than one as a tree of values. A line of JSON text ends at each
/// line break, since within strings they are escaped.
class ListWriter {
 public:
  /// @param object the text of the object, its own fields indented by two spaces
  /// @param depth spaces before the object
  ListWriter(std::ostream& out, std::string object, const char* name, std::size_t depth)
      : out_(out), object_(std::move(object)), depth_(depth) {
    const std::string key = fmt::format("\n  \"{}\": [", name);
    at_ = object_.find(key) + key.size();
    write(std::string_view(object_).substr(0, at_), depth_);
  }
  ListWriter(const ListWriter&) = delete;
  ListWriter& operator=(const ListWriter&) = delete;
  ~ListWriter() {
    if (count_ > 0) write("\n  ", depth_);
    write(std::string_view(object_).substr(at_), depth_);
  }

  /// Begins an entry, which is then written at the depth that it returns.
  std::size_t next() {
    out_ << (count_++ > 0 ? "," : "");
    write("\n    ", depth_);
    return depth_ + 4;
  }
  void add(const Json& entry) { write(dumped(entry), next()); }

 private:
  void write(std::string_view text, std::size_t indent) {
    for (;;) {
      const std::size_t end = text.find('\n');
      out_ << text.substr(0, end);
      if (end == std::string_view::npos) return;
      out_ << '\n' << std::string_view(kSpaces).substr(0, indent);
      text.remove_prefix(end + 1);
    }
  }

  static constexpr std::string_view kSpaces = "                ";
  std::ostream& out_;
  std::string object_;
  std::size_t depth_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

void write_json(std::ostream& out, const Result& result) {
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
  {
    ListWriter claims(out, dumped(json), "claims", 0);
    for (const ClaimRecord& claim : result.claims) {
      ListWriter tests(out, dumped(write(claim)), "configurations", claims.next());
      for (const TestRecord& test : claim.configurations) tests.add(write(test));
    }
  }
  out << '\n';
}

std::string to_json(const Result& result) {
  std::ostringstream out;
  write_json(out, result);
  return std::move(out).str();
}

namespace {

void require_schema(const std::string& seen, std::string_view schema) {
  if (seen == schema) return;
  throw std::invalid_argument(fmt::format("schema is '{}', expected '{}'", seen, schema));
}

std::string schema_of(const Json& json) { return json.is_object() ? json.value("schema", "") : ""; }

/// Whatever is wrong with a stored form is said in one line.
template <class F>
auto parsing(F&& read_it) {
  try {
    return read_it();
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("not a stored result: {}", error.what()));
  }
}

/// Takes the tests, then the claims out of a document while it is read, so that memory holds no more
/// than one as a tree.
class ClaimReader {
 public:
  explicit ClaimReader(std::vector<ClaimRecord>& claims) : claims_(claims) {}

  /// Whether the reader of the document keeps the value.
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) key_ = value.get<std::string>();
    if (event == Json::parse_event_t::key && depth == 3) inner_key_ = value.get<std::string>();
    if (event == Json::parse_event_t::value && depth == 1 && key_ == "schema" &&
        value.is_string()) {
      require_schema(value.get<std::string>(), kSchema);
    }
    if (event != Json::parse_event_t::object_end || key_ != "claims") return true;
    if (depth == 4 && inner_key_ == "configurations") {
      tests_.push_back(read<TestRecord>(value));
      return false;
    }
    if (depth != 2) return true;
    ClaimRecord& claim = claims_.emplace_back(read<ClaimRecord>(value));
    claim.configurations = std::exchange(tests_, {});
    claim.configurations.spool(file_);
    return false;
  }

 private:
  std::vector<ClaimRecord>& claims_;
  TestList tests_;
  std::shared_ptr<Spool> file_ = std::make_shared<Spool>();
  std::string key_, inner_key_;
};

template <class Input>
Result read_result(Input&& input) {
  return parsing([&] {
    Result result;
    ClaimReader claims(result.claims);
    const Json json = Json::parse(input, std::ref(claims));
    require_schema(schema_of(json), kSchema);
    const Reader reader{json};
    result.run = read<RunRecord>(reader.at("run"));
    result.ledger = read<LedgerRecord>(reader.at("ledger"));
    require_taken(reader.at("claims"), "claims");
    return result;
  });
}

}  // namespace

Result from_json(std::string_view text) { return read_result(text); }
Result from_json(std::istream& in) { return read_result(in); }

Result stored_result(const std::string& path) {
  std::ifstream file = open_file(path);
  try {
    return from_json(file);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
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
  return parsing([&] {
    const Json json = Json::parse(text);
    require_schema(schema_of(json), kPartSchema);
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
