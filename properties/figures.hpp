#pragma once

#include <rootdk/properties/subject.hpp>
#include <rootdk/reports/record.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace rootdk {

/// Curves that the report draws beside a claim and that its tests do not record: the scaled score's
/// histogram on its exact density, attention against d_k, signal and gradient against depth. They
/// show, they do not judge. Each belongs to one claim; empty for the others, and for a subject that
/// lacks the operations.
///
/// A series' name is FIGURE | PANEL | CURVE. Intervals cover 99 % of the error of sampling. A pure
/// function of its arguments.
std::vector<reports::SeriesRecord> figures(std::string_view claim, const Subject& subject,
                                           std::uint64_t seed);

}  // namespace rootdk
