#pragma once

#include <rootdk/properties/cli/options.hpp>

#include <string>

namespace rootdk::cli {

// Each subcommand as typed, and what it does; `execute` returns the exit code or throws Exit. Only
// command.cpp knows how the command line is read.

/// Files to write; an empty path is not asked for, "-" is standard output.
struct Outputs {
  std::string json, junit, html;
};

struct RunCommand {
  RunOptions run;
  ConsoleOptions console;
  Outputs outputs;
  bool strict = false;
};
struct ReportCommand {
  std::string input;
  ConsoleOptions console;
  Outputs outputs;
};
struct ListCommand {
  std::string what;
  std::string filter;
  bool json = false;
};
struct ExplainCommand {
  std::string claim;
};
struct PlanCommand {
  RunOptions run;
};
struct ReplayCommand {
  std::string token;
  std::string subject;
  ConsoleOptions console;
};
struct DefectsCommand {
  RunOptions run;
  std::string json;
};
struct CalibrateCommand {
  std::string seed = "1";
  std::string json;
};

int execute(const RunCommand& command);
int execute(const ReportCommand& command);
int execute(const ListCommand& command);
int execute(const ExplainCommand& command);
int execute(const PlanCommand& command);
int execute(const ReplayCommand& command);
int execute(const DefectsCommand& command);
int execute(const CalibrateCommand& command);

}  // namespace rootdk::cli
