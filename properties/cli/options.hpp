#pragma once

#include <rootdk/properties/run.hpp>
#include <rootdk/reports/console.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk::cli {

inline constexpr int kUsage = 2;
inline constexpr int kNothingSelected = 4;
inline constexpr int kRegression = 5;
inline constexpr int kInterrupted = 130;
/// Longest time of one call of a subject in another process, in seconds.
inline constexpr double kCallSeconds = 20;

/// A mistake of the user's that ends the command with this exit code and one line.
struct Exit : std::runtime_error {
  Exit(int code_, const std::string& line) : std::runtime_error(line), code(code_) {}
  int code;
};

/// Options that choose claims and how they are run, as typed.
struct RunOptions {
  std::string filter;
  std::string exclude;
  std::string effort = "standard";
  std::string seed = "1";
  double alpha = 1e-6;
  std::size_t jobs = 0;
  std::string subject = "library";
  double timeout = kCallSeconds;
  bool no_progress = false;
};

/// How the console looks.
struct ConsoleOptions {
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
};

/// @throws Exit with code 2 naming what is wrong
RunSettings settings_of(const RunOptions& options);
/// The claims that match, in order of id.
///
/// @throws Exit with code 2 for a broken expression, 4 with "did you mean" if none matches
std::vector<const Claim*> selected(const RunOptions& options);
reports::ConsoleStyle style_of(const ConsoleOptions& options);

/// Whether a name matches a regular expression, searched; the empty one matches all.
///
/// @throws Exit with code 2 for a broken expression, naming the option
std::function<bool(const std::string&)> matcher(const std::string& expression,
                                                std::string_view option);

/// "… did you mean a, b?" for a name that does not exist; empty if nothing is near.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names);
std::vector<std::string> claim_ids();
std::vector<std::string> defect_ids();

/// Set by SIGINT and SIGTERM.
extern std::atomic<bool> interrupted;

/// A bar with the time left on standard error, only on a terminal; erased at the end.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  void show(const Progress& progress);

 private:
  bool enabled_;
  double start_;
  double shown_ = 0;
};

}  // namespace rootdk::cli
