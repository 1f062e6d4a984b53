#include <rootdk/reports/output.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

namespace rootdk::reports {
namespace {

TEST(WriteFile, WritesToAPipeInsteadOfReplacingIt) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("rootdk_pipe_" + std::to_string(getpid()));
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  require_writable(path);
  write_file(path, "text");
  std::array<char, 8> seen{};
  EXPECT_EQ(read(reader, seen.data(), seen.size()), 4);
  EXPECT_EQ(std::string(seen.data()), "text");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  close(reader);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace rootdk::reports
