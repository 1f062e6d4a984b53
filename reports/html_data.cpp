#include <rootdk/reports/html_parts.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/law.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace rootdk::reports {
namespace {

using Json = nlohmann::ordered_json;

/// Five digits are more than a plot shows; what is not finite becomes null.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::round(value) && std::abs(value) < 1e6) return static_cast<std::int64_t>(value);
  // Not std::stod, which refuses a subnormal number.
  return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr);
}

Json rounded(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(rounded(value));
  return out;
}

/// The law of the first look, if the evidence follows it exactly. Its size is fixed before anything
/// is drawn; the look that decides is chosen by the data, and its p-values would not be uniform.
std::optional<stats::Law> exact_law(const TestRecord& test) {
  const double x = test.statistic_first;
  if (!(test.nu_first > 0) || !std::isfinite(x)) return std::nullopt;
  if (test.law == "normal") return stats::location();
  if (test.law == "chi_squared" && x > 0) return stats::scale();
  return std::nullopt;
}

/// The normal value of the same tail: standard normal for any law of one test.
double normal_score(const stats::Tails& tails) {
  constexpr double least = 1e-300;
  return tails.lower < tails.upper ? -stats::normal_upper_quantile(std::max(tails.lower, least))
                                   : stats::normal_upper_quantile(std::max(tails.upper, least));
}

/// All first looks of exact tests, whatever rows the page has room for: normal scores of every k-th,
/// and the order statistics of their p-values.
Json looks_json(const Result& result) {
  struct Look {
    std::size_t claim;
    double nu, score, p;
  };
  std::vector<Look> looks;
  for (std::size_t c = 0; c < result.claims.size(); ++c) {
    for (const TestRecord& test : result.claims[c].configurations) {
      const auto law = exact_law(test);
      if (!law) continue;
      const stats::Tails tails = stats::tails(*law, test.nu_first, test.statistic_first, 0);
      const double p = std::min(1.0, 2 * std::min(tails.lower, tails.upper));
      looks.push_back({c, test.nu_first, normal_score(tails), p});
    }
  }
  const auto every = [&](std::size_t most) { return (looks.size() + most - 1) / most; };
  Json out{{"count", looks.size()}};
  out["outside"] = std::ranges::count_if(looks, [](const Look& look) { return look.p < 0.05; });
  for (const char* name : {"claim", "nu", "score", "u", "p"}) out[name] = Json::array();
  for (std::size_t i = 0; i < looks.size(); i += every(4000)) {
    out["claim"].push_back(looks[i].claim);
    out["nu"].push_back(rounded(looks[i].nu));
    out["score"].push_back(rounded(std::round(looks[i].score * 100) / 100));
  }
  std::ranges::sort(looks, {}, &Look::p);
  for (std::size_t i = 0; i < looks.size(); i += every(600)) {
    out["u"].push_back(rounded((static_cast<double>(i) + 0.5) / static_cast<double>(looks.size())));
    out["p"].push_back(rounded(looks[i].p));
  }
  return out;
}

using Fields = std::vector<std::pair<std::string, std::string>>;

/// "d_k=17,n=8" as names and values; the whole text as one value where it has another form.
Fields fields_of(const std::string& configuration) {
  Fields fields;
  std::size_t start = 0;
  while (start < configuration.size()) {
    const std::size_t end = std::min(configuration.find(',', start), configuration.size());
    const std::string part = configuration.substr(start, end - start);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return {{"configuration", configuration}};
    fields.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    start = end + 1;
  }
  return fields;
}

Json field_value(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size();
  return number && std::isfinite(value) ? rounded(value) : Json(text);
}

/// A column of one value becomes that value.
void shorten_columns(Json& columns) {
  for (auto& [name, column] : columns.items()) {
    const bool same = std::ranges::all_of(column, [&](const Json& v) { return v == column[0]; });
    if (!column.empty() && same) column = Json(column[0]);
  }
}

Json columns(const std::vector<TestRecord>& tests) {
  Json out = Json::object();
  for (const char* name :
       {"check", "law", "expected", "estimate", "low", "high", "p", "nu", "verdict"}) {
    out[name] = Json::array();
  }
  Json fields = Json::object();
  const Fields first = tests.empty() ? Fields{} : fields_of(tests.front().configuration);
  for (const auto& [name, value] : first) fields[name] = Json::array();
  for (const TestRecord& test : tests) {
    const bool bound = test.law == "bound";
    const Fields here = fields_of(test.configuration);
    for (std::size_t i = 0; i < first.size(); ++i) {
      const bool same = here.size() == first.size() && here[i].first == first[i].first;
      fields[first[i].first].push_back(same ? field_value(here[i].second)
                                            : Json(test.configuration));
    }
    out["check"].push_back(test.check);
    out["law"].push_back(test.law);
    out["expected"].push_back(rounded(bound ? test.tolerance_u : test.expected));
    out["estimate"].push_back(rounded(bound ? test.error_u : test.estimate));
    out["low"].push_back(bound ? Json(nullptr) : rounded(test.interval[0]));
    out["high"].push_back(bound ? Json(nullptr) : rounded(test.interval[1]));
    out["p"].push_back(bound ? Json(nullptr) : rounded(test.p));
    out["nu"].push_back(rounded(test.nu_used));
    out["verdict"].push_back(std::string(stats::name(test.verdict)));
  }
  shorten_columns(out);
  shorten_columns(fields);
  out["fields"] = std::move(fields);
  out["count"] = tests.size();
  return out;
}

Json series_json(const ClaimRecord& claim) {
  Json out = Json::array();
  for (const SeriesRecord& s : claim.series) {
    out.push_back({{"name", s.name},
                   {"x_label", s.x_label},
                   {"y_label", s.y_label},
                   {"x", rounded(s.x)},
                   {"y", rounded(s.y)},
                   {"low", rounded(s.low)},
                   {"high", rounded(s.high)}});
  }
  return out;
}

Json parsed(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json::parse(text, nullptr, false);
}

}  // namespace

std::string page_data(const Result& result, const Measured& measured, std::size_t rows) {
  std::size_t total = 0;
  for (const ClaimRecord& claim : result.claims) total += claim.configurations.size();
  Json claims = Json::array();
  for (const ClaimRecord& claim : result.claims) {
    std::vector<TestRecord> tests = worst_first(claim);
    const std::size_t all = tests.size();
    // The plot of the schemes' variance shows them all: the worst alone would look worse.
    const bool plotted = claim.id.starts_with("scaling.variance.");
    if (total > rows && !plotted)
      tests.resize(std::min(all, std::max<std::size_t>(10, all * rows / total)));
    claims.push_back({{"id", claim.id},
                      {"latex", claim.latex},
                      {"verdict", std::string(stats::name(claim.verdict))},
                      {"total", all},
                      {"tests", columns(tests)},
                      {"series", series_json(claim)}});
  }
  const Json data{
      {"alpha", result.run.alpha},           {"effort", result.run.effort},
      {"claims", std::move(claims)},         {"looks", looks_json(result)},
      {"defects", parsed(measured.defects)}, {"calibration", parsed(measured.calibration)}};
  std::string out;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    // Within JSON these stand in strings only, where the escaped form means the same.
    if (c == '<' || c == '>' || c == '&' || c == '\x7f') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace rootdk::reports
