#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

/// The test's interval drawn against expected ± δ, or its error against its tolerance, as an inline
/// SVG of 160 × 22 that takes its colours from the page's style sheet.
std::string interval_svg(const TestRecord& test);

}  // namespace rootdk::reports
