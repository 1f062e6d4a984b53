#include <rootdk/properties/cli/ranks.hpp>
#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/properties/subjects/process.hpp>
#include <rootdk/reports/html.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/junit.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>

#include <array>

namespace rootdk::cli {
namespace {

/// A format, the path it was asked for, and its writer.
struct Format {
  const std::string Outputs::*path;
  std::string (*write)(const reports::Result&);
};
constexpr std::array kFormats{
    Format{&Outputs::json, reports::to_json},
    Format{&Outputs::junit, reports::to_junit},
    Format{&Outputs::html, reports::to_html},
};

bool writes_to_stdout(const Outputs& outputs) {
  for (const Format& format : kFormats) {
    if (outputs.*format.path == "-") return true;
  }
  return false;
}

void write(const Outputs& outputs, const reports::Result& result) {
  for (const Format& format : kFormats) {
    const std::string& path = outputs.*format.path;
    if (!path.empty()) reports::write_file(path, format.write(result));
  }
}

}  // namespace

void require_writable(const Outputs& outputs) {
  for (const Format& format : kFormats) {
    const std::string& path = outputs.*format.path;
    if (!path.empty()) reports::require_writable(path);
  }
}

namespace {

Subject outside_subject(const std::string& text, double timeout) {
  if (!(timeout >= 1)) throw Exit(kUsage, fmt::format("--timeout {}: at least 1", timeout));
  const ProcessLimits limits{.call = std::chrono::seconds(static_cast<std::int64_t>(timeout))};
  const bool library = text.ends_with(".so") && text.find(' ') == std::string::npos;
  return library ? shared_library_subject(text, limits) : process_subject(text, limits);
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
  write(outputs, result);
  if (!writes_to_stdout(outputs)) fmt::print("{}", reports::to_console(result, style_of(console)));
  const int code = reports::exit_code(result);
  return strict && code == 3 ? 1 : code;
}

int execute(const RunCommand& command) {
  if (!command.shard.empty()) return run_share(command);
  if (Ranks::size() > 1) return run_ranks(command);
  const RunSettings settings = settings_of(command.run);
  const std::vector<const Claim*> chosen = selected(command.run);
  const Subject subject = subject_of(command.run.subject, command.run.timeout);
  require_writable(command.outputs);
  reports::Result result;
  {
    ProgressBar bar(!command.run.no_progress);
    result = run(
        chosen, subject, settings, [&](const Progress& p) { bar.show(p); }, interrupted);
  }
  return finish(command.outputs, command.console, command.strict, result);
}

int execute(const ReportCommand& command) {
  const reports::Result result = reports::from_json(reports::read_file(command.input));
  require_writable(command.outputs);
  return finish(command.outputs, command.console, false, result);
}

}  // namespace rootdk::cli
