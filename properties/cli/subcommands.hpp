#pragma once

#include <rootdk/properties/cli/options.hpp>

#include <CLI/CLI.hpp>

#include <functional>

namespace rootdk::cli {

// Each adds one subcommand; when it is chosen, `action` is set to what it does, which returns the
// exit code.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_defects(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);

}  // namespace rootdk::cli
