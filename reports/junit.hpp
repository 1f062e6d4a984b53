#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

/// JUnit XML: an area is a suite, a claim a case. REFUTED and UNTRUSTED are failures, BROKEN an
/// error, INCONCLUSIVE and NOT_APPLICABLE skipped, with their reason.
///
/// @param strict INCONCLUSIVE is a failure too
std::string to_junit(const Result& result, bool strict = false);

}  // namespace rootdk::reports
