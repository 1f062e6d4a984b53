#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/properties/cli/subcommands.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <regex>

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
    list.push_back({{"id", scheme.name}, {"statement", scheme.formula}, {"parameters", parameters}});
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
  for (const Defect& defect : all_defects()) {
    list.push_back({{"id", defect.id}, {"statement", "the library with a fault: " + defect.statement}});
  }
  return list;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  struct State {
    std::string what;
    std::string filter;
    bool json = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand("list", "what there is");
  command->add_option("what", state->what, "claims, schemes, initialisers, defects or subjects")
      ->required()
      ->check(CLI::IsMember({"claims", "schemes", "initialisers", "defects", "subjects"}));
  command->add_option("--filter", state->filter, "only those whose id matches")->type_name("RE");
  command->add_flag("--json", state->json, "as a JSON array");
  command->callback([state, &action] {
    action = [state] {
      Json list = state->what == "claims"         ? claims_json()
                  : state->what == "schemes"      ? schemes_json()
                  : state->what == "initialisers" ? initialisers_json()
                  : state->what == "defects"      ? defects_json()
                                                  : subjects_json();
      if (!state->filter.empty()) {
        std::regex filter;
        try {
          filter = std::regex(state->filter);
        } catch (const std::regex_error& error) {
          throw Exit(kUsage, fmt::format("--filter '{}': {}", state->filter, error.what()));
        }
        Json kept = Json::array();
        for (Json& item : list) {
          if (std::regex_search(item["id"].get<std::string>(), filter)) kept.push_back(item);
        }
        list = std::move(kept);
      }
      if (state->json) {
        fmt::print("{}\n", list.dump(2));
      } else {
        std::size_t width = 0;
        for (const Json& item : list) width = std::max(width, item["id"].get<std::string>().size());
        for (const Json& item : list) {
          fmt::print("{:<{}}  {}\n", item["id"].get<std::string>(), width,
                     item["statement"].get<std::string>());
        }
      }
      if (list.empty()) throw Exit(kNothingSelected, "nothing matches");
      return 0;
    };
  });
}

}  // namespace rootdk::cli
