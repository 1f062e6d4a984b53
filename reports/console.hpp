#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

struct ConsoleStyle {
  bool color = false;
  int width = 100;       ///< columns of the terminal
  bool quiet = false;    ///< only what is not verified, and the summary
  bool verbose = false;  ///< every configuration
};

/// The table of claims, the failures in full, the summary.
std::string to_console(const Result& result, const ConsoleStyle& style);

/// One test in full: estimate, expected, interval, δ, p, look, ν, and the line that replays it.
std::string describe(const TestRecord& test, const ConsoleStyle& style);

}  // namespace rootdk::reports
