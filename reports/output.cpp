#include <rootdk/reports/output.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace rootdk::reports {
namespace {

std::string beside(const std::string& path) { return fmt::format("{}.{}.part", path, getpid()); }

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno)));
}

/// A device or a pipe, which a renamed file would replace.
bool is_special(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_other(path, none);
}

}  // namespace

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") {
    write(std::cout);
    std::cout << std::flush;
    return;
  }
  const bool special = is_special(path);
  const std::string part = special ? path : beside(path);
  {
    std::ofstream file(part, std::ios::binary);
    write(file);
    file.flush();
    if (!file) {
      const int error = errno;
      if (!special) std::remove(part.c_str());
      errno = error;
      fail(path, "write");
    }
  }
  if (special) return;
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(part.c_str());
    errno = error;
    fail(path, "write");
  }
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](std::ostream& out) { out << text; });
}

void require_writable(const std::string& path) {
  if (path == "-" || is_special(path)) return;
  if (std::filesystem::is_directory(path)) {
    errno = EISDIR;
    fail(path, "write");
  }
  const std::string part = beside(path);
  errno = 0;
  std::ofstream file(part);
  if (!file) fail(path, "write");
  file.close();
  std::remove(part.c_str());
}

std::ifstream open_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    if (errno == 0) errno = EISDIR;
    fail(path, "read");
  }
  return file;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << open_file(path).rdbuf();
  return std::move(text).str();
}

}  // namespace rootdk::reports
