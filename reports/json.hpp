#pragma once

#include <rootdk/reports/record.hpp>

#include <iosfwd>
#include <string>
#include <string_view>

namespace rootdk::reports {

/// The name and version of the format; a reader refuses another.
inline constexpr std::string_view kSchema = "rootdk/result/1";

/// The stored form of a result, two spaces of indentation, one line feed at the end. Numbers that
/// are not finite are written as "nan", "inf", "-inf".
void write_json(std::ostream& out, const Result& result);
std::string to_json(const Result& result);

/// Reads what `to_json` wrote.
///
/// @throws std::invalid_argument naming what is wrong: no JSON, another schema, a field missing
Result from_json(std::istream& in);
Result from_json(std::string_view text);

/// The result stored in a file.
///
/// @throws std::runtime_error if the file cannot be read, std::invalid_argument naming the file and what
/// is wrong with it
Result stored_result(const std::string& path);

inline constexpr std::string_view kPartSchema = "rootdk/part/1";

/// The stored form of a share, compact.
std::string to_json(const Part& part);

/// @throws std::invalid_argument as `from_json` does
Part part_from_json(std::string_view text);

}  // namespace rootdk::reports
