#include <rootdk/properties/cli/subcommands.hpp>
#include <rootdk/reports/html.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/junit.hpp>
#include <rootdk/reports/output.hpp>

#include <fmt/format.h>

#include <array>
#include <memory>

namespace rootdk::cli {
namespace {

struct Outputs {
  std::string json, junit, html;
};

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

void add_outputs(CLI::App& app, Outputs& outputs) {
  app.add_option("--json", outputs.json, "write the result as JSON; - is standard output")
      ->type_name("F");
  app.add_option("--junit", outputs.junit, "write JUnit XML")->type_name("F");
  app.add_option("--html", outputs.html, "write the report as one page")->type_name("F");
}

void require_writable(const Outputs& outputs) {
  for (const Format& format : kFormats) {
    const std::string& path = outputs.*format.path;
    if (!path.empty()) reports::require_writable(path);
  }
}

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

Subject subject_of(const std::string& name) {
  try {
    return subject_named(name);
  } catch (const std::invalid_argument&) {
    std::vector<std::string> names = defect_ids();
    names.emplace_back("library");
    throw Exit(kUsage, fmt::format("--subject {}: no such subject{}", name, suggestion(name, names)));
  }
}

int run_claims(const RunOptions& options, const ConsoleOptions& console, const Outputs& outputs,
               bool strict) {
  const RunSettings settings = settings_of(options);
  const std::vector<const Claim*> chosen = selected(options);
  const Subject subject = subject_of(options.subject);
  require_writable(outputs);
  reports::Result result;
  {
    ProgressBar bar(!options.no_progress);
    result = run(chosen, subject, settings, [&](const Progress& p) { bar.show(p); }, interrupted);
  }
  if (interrupted) throw Exit(kInterrupted, "interrupted; nothing was written");
  write(outputs, result);
  if (!writes_to_stdout(outputs)) {
    fmt::print("{}", reports::to_console(result, style_of(console)));
  }
  const int code = reports::exit_code(result);
  return strict && code == 3 ? 1 : code;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  struct State {
    RunOptions run;
    ConsoleOptions console;
    Outputs outputs;
    bool strict = false;
  };
  const auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand("run", "verify claims and report");
  add_run_options(*command, state->run);
  add_console_options(*command, state->console);
  add_outputs(*command, state->outputs);
  command->add_flag("--strict", state->strict, "inconclusive and broken count as refuted");
  command->callback([state, &action] {
    action = [state] {
      return run_claims(state->run, state->console, state->outputs, state->strict);
    };
  });
}

void add_report(CLI::App& app, Action& action) {
  struct State {
    std::string input;
    ConsoleOptions console;
    Outputs outputs;
  };
  const auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand("report", "render a stored result again");
  command->add_option("result", state->input, "what `run --json` wrote")->required();
  add_console_options(*command, state->console);
  add_outputs(*command, state->outputs);
  command->callback([state, &action] {
    action = [state] {
      const reports::Result result = reports::from_json(reports::read_file(state->input));
      require_writable(state->outputs);
      write(state->outputs, result);
      if (!writes_to_stdout(state->outputs)) {
        fmt::print("{}", reports::to_console(result, style_of(state->console)));
      }
      return reports::exit_code(result);
    };
  });
}

}  // namespace rootdk::cli
