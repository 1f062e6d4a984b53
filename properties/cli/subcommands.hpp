#pragma once

#include <rootdk/properties/cli/options.hpp>

#include <string>
#include <vector>

namespace rootdk::cli {

// Each subcommand as typed, and what it does; `execute` returns the exit code or throws Exit. Only
// command.cpp knows how the command line is read.

/// Files to write; an empty path is not asked for, "-" is standard output.
struct Outputs {
  std::string json, junit, html, md, csv;
  std::vector<std::string> with;  ///< results of `defects` and `calibrate`, for the page
};

struct RunCommand {
  RunOptions run;
  ConsoleOptions console;
  Outputs outputs;
  bool strict = false;
  std::string shard;          ///< "i/n"; empty for the whole run
  std::string save_baseline;  ///< name to store the result under
  std::string baseline;       ///< name or file to compare the result with
};
struct MergeCommand {
  std::vector<std::string> parts;
  ConsoleOptions console;
  Outputs outputs;
};
struct ReportCommand {
  std::string input;
  ConsoleOptions console;
  Outputs outputs;
  bool strict = false;
};
struct CompareCommand {
  std::string before, after;  ///< files or names of baselines
  double alpha = 1e-6;
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
int execute(const MergeCommand& command);
int execute(const ReportCommand& command);
int execute(const CompareCommand& command);
int execute(const ListCommand& command);
int execute(const ExplainCommand& command);
int execute(const PlanCommand& command);
int execute(const ReplayCommand& command);
int execute(const DefectsCommand& command);
int execute(const CalibrateCommand& command);

// What several of them share.

/// Before long work is begun for them.
///
/// @throws std::runtime_error naming a path that cannot be written or read, Exit with code 2 for
/// what is no result of `defects` or `calibrate`
void require_usable(const Outputs& outputs);
/// @throws Exit with code 2 and "did you mean"
Subject subject_of(const std::string& name, double timeout = kCallSeconds);
/// Writes and prints a result; returns the exit code.
///
/// @throws Exit with code 130 if the run was interrupted: nothing is written
int finish(const Outputs& outputs, const ConsoleOptions& console, bool strict,
           const reports::Result& result);
/// The same for a run, which may also be stored as a baseline and be compared with one.
int finish(const RunCommand& command, const reports::Result& result);
/// Runs a share and writes its part.
int run_share(const RunCommand& command);
/// Runs a share in each rank of mpirun; rank 0 concludes, writes and prints.
int run_ranks(const RunCommand& command);

}  // namespace rootdk::cli
