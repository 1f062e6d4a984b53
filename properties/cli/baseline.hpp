#pragma once

#include <rootdk/properties/run.hpp>
#include <rootdk/reports/record.hpp>

#include <optional>
#include <string>

namespace rootdk::cli {

/// Where a baseline of that name is stored: .rootdk/baselines/NAME.json below the working
/// directory, whose folders are made.
///
/// @throws Exit with code 2 unless the name is made of letters, digits and . _ -
std::string baseline_path(const std::string& name);

/// The stored result of that file or name; nothing for the empty name.
///
/// @throws Exit with code 2 if there is none; std::invalid_argument if it is no result
std::optional<reports::Result> baseline(const std::string& name_or_file);

/// @throws Exit with code 2 if a run with these settings could not be compared with the baseline
void require_comparable(const reports::Result& baseline, const RunSettings& settings);

}  // namespace rootdk::cli
