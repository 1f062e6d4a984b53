#include <rootdk/properties/calibrate.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/parallel.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace rootdk::cli {
namespace {

using Json = nlohmann::ordered_json;

Json rate_json(const Rate& rate) {
  return {{"declared", rate.declared},
          {"measured", rate.measured},
          {"standard_error", rate.standard_error}};
}

std::string to_json(const std::vector<FamilyCalibration>& families) {
  Json list = Json::array();
  for (const FamilyCalibration& f : families) {
    list.push_back(
        {{"family", f.family},
         {"exact", f.exact},
         {"exact_beta", f.exact_beta},
         {"nu", f.nu},
         {"alpha", rate_json(f.alpha)},
         {"beta", rate_json(f.beta)},
         {"p_values", {{"runs", f.p_runs}, {"distance", f.p_distance}, {"limit", f.p_limit}}},
         {"good", f.good}});
  }
  return Json{{"schema", "rootdk/calibration/1"}, {"families", list}}.dump(2) + "\n";
}

void print_rate(const Rate& rate) {
  fmt::print(" {:>9.3g} {:>9.3g} {:>6.3f}", rate.declared, rate.measured,
             rate.measured / rate.declared);
}

}  // namespace

int execute(const CalibrateCommand& command) {
  const RunSettings run = settings_of({.seed = command.seed});
  if (!command.json.empty()) reports::require_writable(command.json);
  CalibrationSettings settings;
  settings.seed = run.seed;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<FamilyCalibration> families = calibrate(settings, threads_for(0));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  if (!command.json.empty()) reports::write_file(command.json, to_json(families));
  const bool good = std::ranges::all_of(families, &FamilyCalibration::good);
  if (command.json == "-") return good ? 0 : 1;
  fmt::print("{:<27} {:<6} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6} {:>16}\n", "family", "rates", "α",
             "measured", "ratio", "β", "measured", "ratio", "p-values off by");
  for (const FamilyCalibration& f : families) {
    fmt::print("{:<27} {:<6}", f.family, f.exact ? "exact" : "bound");
    print_rate(f.alpha);
    print_rate(f.beta);
    fmt::print(" {:>7.4f} ≤ {:.4f}{}\n", f.p_distance, f.p_limit,
               f.good ? "" : "  NOT AS DECLARED");
  }
  fmt::print("\nseed {}, {} draws a rate, {:.1f} s\n", settings.seed, settings.draws,
             spent.count());
  return good ? 0 : 1;
}

}  // namespace rootdk::cli
