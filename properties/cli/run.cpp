#include <rootdk/properties/cli/baseline.hpp>
#include <rootdk/properties/cli/ranks.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/subjects/process.hpp>
#include <rootdk/reports/compare.hpp>
#include <rootdk/reports/csv.hpp>
#include <rootdk/reports/html.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/junit.hpp>
#include <rootdk/reports/markdown.hpp>
#include <rootdk/reports/output.hpp>
#include <rootdk/reports/web_assets.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>

namespace rootdk::cli {
namespace {

/// What a writer may need beside the result.
struct Rendering {
  reports::Measured measured = {};
  bool strict = false;
};

/// A format, the path it was asked for, and its writer.
struct Format {
  const std::string Outputs::*path;
  void (*write)(std::ostream&, const reports::Result&, const Rendering&);
};
constexpr std::array kFormats{
    Format{&Outputs::json,
           [](auto& out, const auto& r, const Rendering&) { reports::write_json(out, r); }},
    Format{&Outputs::junit, [](auto& out, const auto& r,
                               const Rendering& how) { out << reports::to_junit(r, how.strict); }},
    Format{&Outputs::html, [](auto& out, const auto& r,
                              const Rendering& how) { out << reports::to_html(r, how.measured); }},
    Format{&Outputs::md,
           [](auto& out, const auto& r, const Rendering&) { out << reports::to_markdown(r); }},
    Format{&Outputs::csv,
           [](auto& out, const auto& r, const Rendering&) { reports::write_csv(out, r); }},
};

bool writes_to_stdout(const Outputs& outputs) {
  for (const Format& format : kFormats) {
    if (outputs.*format.path == "-") return true;
  }
  return false;
}

void write(const Outputs& outputs, const reports::Result& result, const Rendering& how) {
  if (!outputs.html.empty() && !reports::has_plots()) {
    fmt::print(stderr, "rootdk: warning: built without npm, the page has no plots\n");
  }
  for (const Format& format : kFormats) {
    const std::string& path = outputs.*format.path;
    if (path.empty()) continue;
    reports::write_file(path, [&](std::ostream& out) { format.write(out, result, how); });
  }
}

reports::Measured measured_in(const std::vector<std::string>& paths) {
  reports::Measured measured;
  for (const std::string& path : paths) {
    std::string text = reports::read_file(path);
    if (text.find("\"rootdk/defects/") != std::string::npos) {
      measured.defects = std::move(text);
    } else if (text.find("\"rootdk/calibration/") != std::string::npos) {
      measured.calibration = std::move(text);
    } else {
      throw Exit(kUsage, fmt::format("--with {}: not written by `rootdk defects --json` or `rootdk "
                                     "calibrate --json`",
                                     path));
    }
  }
  return measured;
}

/// Reads and checks what the end of the run needs, before long work is begun for it.
void require_baselines(const RunCommand& command) {
  if (!command.shard.empty() && !(command.baseline + command.save_baseline).empty()) {
    throw Exit(kUsage, "--shard: a share has no baseline; merge the shares, then compare");
  }
  const std::optional<reports::Result> before = baseline(command.baseline);
  if (before) require_comparable(*before, settings_of(command.run));
  if (!command.save_baseline.empty()) {
    reports::require_writable(baseline_path(command.save_baseline));
  }
}

}  // namespace

void require_usable(const Outputs& outputs) {
  measured_in(outputs.with);
  for (const Format& format : kFormats) {
    const std::string& path = outputs.*format.path;
    if (!path.empty()) reports::require_writable(path);
  }
}

namespace {

Subject outside_subject(const std::string& text, double timeout) {
  if (!(timeout >= 1)) throw Exit(kUsage, fmt::format("--timeout {}: at least 1", timeout));
  const ProcessLimits limits{.call = std::chrono::seconds(static_cast<std::int64_t>(timeout))};
  return names_a_library(text) ? shared_library_subject(text, limits)
                               : process_subject(text, limits);
}

}  // namespace

Subject subject_of(const std::string& name, double timeout) {
  try {
    return names_a_process(name) ? outside_subject(name, timeout) : subject_named(name);
  } catch (const std::invalid_argument& error) {
    if (names_a_process(name)) throw Exit(kUsage, fmt::format("--subject: {}", error.what()));
    std::vector<std::string> names = defect_ids();
    names.emplace_back("library");
    for (const NamedSubject& added : added_subjects()) names.push_back(added.name);
    throw Exit(kUsage,
               fmt::format("--subject {}: no such subject{}", name, suggestion(name, names)));
  }
}

int finish(const Outputs& outputs, const ConsoleOptions& console, bool strict,
           const reports::Result& result) {
  if (interrupted) throw Exit(kInterrupted, "interrupted; nothing was written");
  write(outputs, result, {.measured = measured_in(outputs.with), .strict = strict});
  if (!writes_to_stdout(outputs)) fmt::print("{}", reports::to_console(result, style_of(console)));
  const int code = reports::exit_code(result);
  return strict && code == 3 ? 1 : code;
}

int finish(const RunCommand& command, const reports::Result& result) {
  // Read first: the same name may be stored anew.
  const std::optional<reports::Result> before = baseline(command.baseline);
  const int verdict = finish(command.outputs, command.console, command.strict, result);
  if (!command.save_baseline.empty()) {
    reports::write_file(baseline_path(command.save_baseline),
                        [&](std::ostream& out) { reports::write_json(out, result); });
  }
  if (!before) return verdict;
  const reports::Comparison comparison = reports::compare(*before, result);
  if (!writes_to_stdout(command.outputs)) {
    fmt::print("\nagainst the baseline:\n{}", reports::to_console(comparison));
  }
  return verdict != 1 && reports::is_regression(comparison) ? kRegression : verdict;
}

int execute(const RunCommand& command) {
  require_baselines(command);
  if (!command.shard.empty()) return run_share(command);
  if (Ranks::size() > 1) return run_ranks(command);
  const RunSettings settings = settings_of(command.run);
  const std::vector<const Claim*> chosen = selected(command.run);
  const Subject subject = subject_of(command.run.subject, command.run.timeout);
  require_usable(command.outputs);
  reports::Result result;
  {
    ProgressBar bar(!command.run.no_progress);
    result = run(
        chosen, subject, settings, [&](const Progress& p) { bar.show(p); }, interrupted);
  }
  return finish(command, result);
}

int execute(const ReportCommand& command) {
  const reports::Result result = reports::stored_result(command.input);
  require_usable(command.outputs);
  return finish(command.outputs, command.console, command.strict, result);
}

}  // namespace rootdk::cli
