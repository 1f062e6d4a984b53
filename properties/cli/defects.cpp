#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/matrix.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace rootdk::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string matrix_json(const std::vector<DefectOutcome>& outcomes) {
  Json defects = Json::array();
  Json equivalents = Json::array();
  for (const DefectOutcome& outcome : outcomes) {
    if (outcome.equivalent) {
      equivalents.push_back({{"id", outcome.id},
                             {"verdict", outcome.by.empty() ? "VERIFIED" : "REFUTED"},
                             {"by", outcome.by}});
      continue;
    }
    defects.push_back({{"id", outcome.id},
                       {"refuted", outcome.refuted},
                       {"by", outcome.by},
                       {"missed", outcome.missed},
                       {"samples", outcome.samples},
                       {"verified_others", outcome.verified_others},
                       {"claims", outcome.claims}});
  }
  const Json json{
      {"schema", "rootdk/defects/1"}, {"defects", defects}, {"equivalents", equivalents}};
  return json.dump(2) + "\n";
}

}  // namespace

int execute(const DefectsCommand& command) {
  const RunOptions& options = command.run;
  const std::string& json = command.json;
  const RunSettings settings = settings_of(options);
  const auto kept = matcher(options.filter, "--filter");
  std::vector<const Defect*> chosen;
  for (const Defect& defect : all_defects()) {
    if (kept(defect.id)) chosen.push_back(&defect);
  }
  if (chosen.empty()) {
    throw Exit(kNothingSelected, fmt::format("no defect matches --filter '{}'{}", options.filter,
                                             suggestion(options.filter, defect_ids())));
  }
  if (!json.empty()) reports::require_writable(json);
  std::vector<DefectOutcome> outcomes;
  {
    ProgressBar bar(!options.no_progress);
    outcomes = kill_matrix(
        chosen, settings, [&](const Progress& p) { bar.show(p); }, interrupted);
  }
  if (interrupted) throw Exit(kInterrupted, "interrupted; nothing was written");
  std::size_t holes = 0;
  std::size_t faults = 0;
  for (const DefectOutcome& outcome : outcomes) {
    const bool good = outcome.equivalent ? outcome.by.empty() : outcome.refuted;
    faults += outcome.equivalent ? 0 : 1;
    holes += good ? 0 : 1;
  }
  if (!json.empty()) reports::write_file(json, matrix_json(outcomes));
  if (json != "-") {
    for (const DefectOutcome& outcome : outcomes) {
      const char* word = outcome.equivalent ? (outcome.by.empty() ? "equivalent" : "NOT EQUAL")
                                            : (outcome.refuted ? "refuted" : "HOLE");
      fmt::print("{:<10} {:<32} {:>9.3g} samples, {} of {} claims still hold; by {}\n", word,
                 outcome.id, outcome.samples, outcome.verified_others, outcome.claims,
                 outcome.by.empty() ? std::string("none")
                                    : fmt::format("{}", fmt::join(outcome.by, ", ")));
      if (!outcome.missed.empty() && !outcome.equivalent) {
        fmt::print("{:<10} named, but not refuted by {}\n", "", fmt::join(outcome.missed, ", "));
      }
    }
    fmt::print("\n{} defects, {} of them or of the equivalent forms not as they should be\n",
               faults, holes);
  }
  return holes == 0 ? 0 : 1;
}

}  // namespace rootdk::cli
