#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/gradient/checkers.hpp>
#include <rootdk/properties/matrix.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rootdk::cli {
namespace {

using Json = nlohmann::ordered_json;

// Data sets an operation for the comparison of gradient checkers: some hundreds of wrong cases.
constexpr std::size_t kCheckerDraws = 6;

/// Is it as it should be: refuted by a claim that it names, or verified in all if it is no fault?
bool is_good(const DefectOutcome& outcome) {
  return outcome.equivalent ? outcome.verified_others == outcome.claims : outcome.refuted;
}

/// Observed detection rate on fresh data; 0 of a defect that nobody has refuted.
double rate(const DefectOutcome& outcome) {
  if (outcome.repeats == 0) return 0;
  return static_cast<double>(outcome.refuted_again) / static_cast<double>(outcome.repeats);
}

std::string matrix_json(const std::vector<DefectOutcome>& outcomes,
                        const std::vector<CheckerRow>& checkers) {
  Json defects = Json::array();
  Json equivalents = Json::array();
  for (const DefectOutcome& outcome : outcomes) {
    if (outcome.equivalent) {
      equivalents.push_back({{"id", outcome.id},
                             {"verdict", is_good(outcome)     ? "VERIFIED"
                                         : outcome.by.empty() ? "INCONCLUSIVE"
                                                              : "REFUTED"},
                             {"by", outcome.by}});
      continue;
    }
    defects.push_back({{"id", outcome.id},
                       {"refuted", outcome.refuted},
                       {"by", outcome.by},
                       {"missed", outcome.missed},
                       {"samples", outcome.samples},
                       {"where", outcome.where},
                       {"predicted", outcome.predicted ? Json(*outcome.predicted) : Json(nullptr)},
                       {"observed", rate(outcome)},
                       {"repeats", outcome.repeats},
                       {"verified_others", outcome.verified_others},
                       {"claims", outcome.claims}});
  }
  Json json{{"schema", "rootdk/defects/1"}, {"defects", defects}, {"equivalents", equivalents}};
  if (!checkers.empty()) {
    json["checkers"] = Json::array();
    for (const CheckerRow& row : checkers) {
      json["checkers"].push_back({{"id", row.id},
                                  {"rule", row.rule},
                                  {"wrong", row.wrong},
                                  {"found", row.found},
                                  {"right", row.right},
                                  {"refused", row.refused}});
    }
  }
  return json.dump(2) + "\n";
}

void print(const DefectOutcome& outcome) {
  if (outcome.equivalent) {
    fmt::print("{:<10} {:<32} {} of {} claims hold{}\n",
               is_good(outcome) ? "equivalent" : "NOT EQUAL", outcome.id, outcome.verified_others,
               outcome.claims,
               outcome.by.empty() ? std::string()
                                  : fmt::format("; refuted by {}", fmt::join(outcome.by, ", ")));
    return;
  }
  const std::string predicted =
      outcome.predicted ? fmt::format(" ({:.4g} predicted)", *outcome.predicted) : "";
  fmt::print(
      "{:<10} {:<32} {:>9.3g} samples, seen {} of {} times again{}, {} of {} "
      "claims still hold; by {}\n",
      outcome.refuted ? "refuted" : "HOLE", outcome.id, outcome.samples, outcome.refuted_again,
      outcome.repeats, predicted, outcome.verified_others, outcome.claims,
      outcome.by.empty() ? std::string("none") : fmt::format("{}", fmt::join(outcome.by, ", ")));
  if (!outcome.missed.empty()) {
    fmt::print("{:<10} named, but not refuted by {}\n", "", fmt::join(outcome.missed, ", "));
  }
}

void print(const std::vector<CheckerRow>& checkers) {
  fmt::print("\nacceptance rules of gradient checkers on the same backward passes\n");
  for (const CheckerRow& row : checkers) {
    fmt::print("{:>6.1f} % of {} wrong ones found, {:>3} of {} right ones refused  {}\n",
               100 * static_cast<double>(row.found) /
                   static_cast<double>(std::max<std::size_t>(1, row.wrong)),
               row.wrong, row.refused, row.right, row.rule);
  }
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
  // Other checkers' rules are shown on wrong backward passes, so with those of the area.
  std::vector<CheckerRow> checkers;
  if (std::ranges::any_of(chosen, [](const Defect* d) { return d->id.starts_with("backward."); })) {
    checkers = compare_checkers(settings.seed, kCheckerDraws);
  }
  std::size_t holes = 0;
  std::size_t faults = 0;
  std::size_t mostly_held = 0;
  for (const DefectOutcome& outcome : outcomes) {
    faults += outcome.equivalent ? 0 : 1;
    if (!outcome.equivalent && 2 * outcome.verified_others > outcome.claims) ++mostly_held;
    holes += is_good(outcome) ? 0 : 1;
  }
  if (!json.empty()) reports::write_file(json, matrix_json(outcomes, checkers));
  if (json != "-") {
    for (const DefectOutcome& outcome : outcomes) {
      print(outcome);
    }
    if (!checkers.empty()) print(checkers);
    fmt::print(
        "\n{} defects, {} of them or of the equivalent forms not as they should be; with {} of "
        "them more than half of all claims hold\n",
        faults, holes, mostly_held);
  }
  return holes == 0 ? 0 : 1;
}

}  // namespace rootdk::cli
