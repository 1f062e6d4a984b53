#pragma once

#include <rootdk/reports/record.hpp>

#include <string>

namespace rootdk::reports {

/// The report as one self-contained page that needs no network and no script.
std::string to_html(const Result& result);

}  // namespace rootdk::reports
