#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

/// A summary for a job's page: the verdict, every claim that is not verified in full, then a table
/// of all claims. At most 1 MiB less a little; what does not fit is counted.
std::string to_markdown(const Result& result);

}  // namespace rootdk::reports
