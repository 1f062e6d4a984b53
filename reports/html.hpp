#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

/// What was measured of the suite itself, as JSON text; empty where it is not at hand.
struct Measured {
  std::string defects;      ///< of `rootdk defects --json`
  std::string calibration;  ///< of `rootdk calibrate --json`
};

/// The report as one self-contained page that needs no network. Scripts add plots, set formulas,
/// filters and sorting; verdicts, intervals and tables are there without them.
///
/// @throws std::invalid_argument if `measured` is not what those commands write
std::string to_html(const Result& result, const Measured& measured = {});

}  // namespace rootdk::reports
