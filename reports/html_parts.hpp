#pragma once

#include <rootdk/reports/html.hpp>

#include <string>

// Parts of the page that html.cpp puts together. Each returns markup, safe whatever the record
// holds.

namespace rootdk::reports {

/// One claim of the list: a line with its interval, which opens to all that is known of it.
///
/// @param rank its place among the claims, worst first
std::string claim_html(const ClaimRecord& claim, std::size_t rank);

/// Kill matrix, calibration and the comparison of gradient checkers; empty without them.
std::string measured_html(const Measured& measured);

/// The data of plots and of the compact columns as JSON in which no character can end a script
/// element. At most `rows` tests are kept, the worst of each claim.
std::string page_data(const Result& result, const Measured& measured, std::size_t rows);

}  // namespace rootdk::reports
