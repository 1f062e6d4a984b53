#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/properties/cli/subcommands.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace rootdk::cli {
namespace {

using Json = nlohmann::ordered_json;

Json claims_json() {
  Json list = Json::array();
  for (const Claim& claim : all_claims()) {
    list.push_back({{"id", claim.id},
                    {"statement", claim.statement},
                    {"method", claim.method},
                    {"domain", claim.domain.str()},
                    {"erratum", claim.erratum.has_value()},
                    {"defects", claim.defects}});
  }
  return list;
}

Json schemes_json() {
  Json list = Json::array();
  for (const SchemeFacts& scheme : all_schemes()) {
    Json parameters = Json::array();
    for (const SchemeParameter& parameter : scheme.parameters) parameters.push_back(parameter.name);
    list.push_back(
        {{"id", scheme.name}, {"statement", scheme.formula}, {"parameters", parameters}});
  }
  return list;
}

Json initialisers_json() {
  Json list = Json::array();
  for (const Initialiser& rule : initialisers()) {
    list.push_back({{"id", rule.name}, {"statement", rule.formula}});
  }
  return list;
}

Json defects_json() {
  Json list = Json::array();
  for (const Defect& defect : all_defects()) {
    list.push_back({{"id", defect.id},
                    {"statement", defect.statement},
                    {"fact", defect.fact},
                    {"refuted_by", defect.refuted_by},
                    {"equivalent", defect.equivalent}});
  }
  return list;
}

Json subjects_json() {
  Json list = Json::array({{{"id", "library"}, {"statement", "the kernels of this library"}}});
  for (const NamedSubject& added : added_subjects()) {
    list.push_back({{"id", added.name}, {"statement", added.statement}});
  }
  for (const Defect& defect : all_defects()) {
    list.push_back(
        {{"id", defect.id}, {"statement", "the library with a fault: " + defect.statement}});
  }
  return list;
}

Json listed(const std::string& what) {
  if (what == "claims") return claims_json();
  if (what == "schemes") return schemes_json();
  if (what == "initialisers") return initialisers_json();
  if (what == "defects") return defects_json();
  return subjects_json();
}

void print_table(const Json& list) {
  std::size_t width = 0;
  for (const Json& item : list) width = std::max(width, item["id"].get<std::string>().size());
  for (const Json& item : list) {
    fmt::print("{:<{}}  {}\n", item["id"].get<std::string>(), width,
               item["statement"].get<std::string>());
  }
}

}  // namespace

int execute(const ListCommand& command) {
  const auto kept = matcher(command.filter, "--filter");
  Json list = Json::array();
  for (Json& item : listed(command.what)) {
    if (kept(item["id"].get<std::string>())) list.push_back(std::move(item));
  }
  if (command.json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    print_table(list);
  }
  if (list.empty()) throw Exit(kNothingSelected, "nothing matches");
  return 0;
}

}  // namespace rootdk::cli
