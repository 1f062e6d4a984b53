#include <rootdk/properties/cli/baseline.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/reports/compare.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace rootdk::cli {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(".rootdk") / "baselines";

bool is_name(const std::string& text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !text.empty() && text.front() != '.' &&
         text.find_first_not_of(allowed) == std::string::npos;
}

std::filesystem::path stored(const std::string& name) { return kFolder / (name + ".json"); }

}  // namespace

std::string baseline_path(const std::string& name) {
  if (!is_name(name)) {
    throw Exit(
        kUsage,
        fmt::format("--save-baseline '{}': a name is made of letters, digits and . _ -", name));
  }
  std::error_code error;
  std::filesystem::create_directories(kFolder, error);
  if (error) {
    throw Exit(kUsage, fmt::format("cannot make '{}': {}", kFolder.string(), error.message()));
  }
  return stored(name).string();
}

std::optional<reports::Result> baseline(const std::string& name_or_file) {
  if (name_or_file.empty()) return std::nullopt;
  const bool named = is_name(name_or_file) && std::filesystem::exists(stored(name_or_file));
  const std::string path = named ? stored(name_or_file).string() : name_or_file;
  if (!std::filesystem::exists(path)) {
    throw Exit(kUsage, fmt::format("there is no baseline '{}' in {} and no such file", name_or_file,
                                   kFolder.string()));
  }
  return reports::stored_result(path);
}

void require_comparable(const reports::Result& baseline, const RunSettings& settings) {
  if (baseline.run.effort == settings.effort->name) return;
  throw Exit(kUsage, fmt::format("--baseline: it is of effort '{}', this run would be of '{}'",
                                 baseline.run.effort, settings.effort->name));
}

int execute(const CompareCommand& command) {
  if (!(command.alpha > 0 && command.alpha < 1)) {
    throw Exit(kUsage, fmt::format("--alpha {}: must be between 0 and 1", command.alpha));
  }
  const auto before = baseline(command.before);
  const auto after = baseline(command.after);
  if (!before || !after) throw Exit(kUsage, "compare: wants the names of two results");
  const reports::Comparison comparison = reports::compare(*before, *after, command.alpha);
  fmt::print("{}", reports::to_console(comparison));
  return reports::is_regression(comparison) ? kRegression : 0;
}

}  // namespace rootdk::cli
