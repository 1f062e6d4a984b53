#pragma once

#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace rootdk::reports {

/// Writes a file whole or not at all: beside it first, then renamed. "-" is standard output;
/// devices and pipes are written to as they are.
///
/// @throws std::runtime_error naming the path and the system's reason
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);
void write_file(const std::string& path, std::string_view text);

/// Checks that a file could be written, before long work is begun for it.
///
/// @throws std::runtime_error naming the path and the system's reason
void require_writable(const std::string& path);

/// @throws std::runtime_error naming the path and the system's reason
std::string read_file(const std::string& path);
std::ifstream open_file(const std::string& path);

}  // namespace rootdk::reports
