#pragma once

#include <rootdk/reports/record.hpp>

#include <iosfwd>
#include <string>

namespace rootdk::reports {

/// All evidence, one line a test, by RFC 4180 with a line of names: of pooled tests and of every
/// configuration. Numbers keep all their digits; nan, inf and -inf where they are not finite.
void write_csv(std::ostream& out, const Result& result);
std::string to_csv(const Result& result);

}  // namespace rootdk::reports
