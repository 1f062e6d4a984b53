#include <rootdk/reports/console.hpp>
#include <rootdk/reports/sample_test.ipp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace rootdk::reports {
namespace {

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("rootdk replay") != std::string::npos) continue;  // to be copied whole
    const auto points = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
    widest = std::max(widest, static_cast<std::size_t>(points));
  }
  return widest;
}

TEST(Console, GivesTheEffectFirstAndAllThatIsKnown) {
  const std::string text = describe(scale_test("d_k=3", 2.5, Verdict::refuted), {});
  EXPECT_EQ(text,
            "  variance REFUTED: +25.00 % at d_k=3\n"
            "    estimate 2.5, expected 2, interval [2.4375, 2.5625], δ 6.25 %\n"
            "    p = 8.9e-16, share α 9.1e-13 (10^3.0 past it); look 1, ν 1024 of 4096\n"
            "    rootdk replay 'scores.variance:d_k=3:seed=1'\n");
}

TEST(Console, FitsItsTerminal) {
  for (const int width : {40, 59, 60, 80, 99, 100, 160}) {
    const std::string text = to_console(sample_result(), {.width = width, .verbose = true});
    EXPECT_LE(widest_line(text), static_cast<std::size_t>(width)) << width;
  }
}

TEST(Console, QuietLeavesOutWhatIsVerified) {
  const std::string text = to_console(sample_result(), {.quiet = true});
  EXPECT_EQ(text.find("scores.variance "), std::string::npos);
  EXPECT_NE(text.find("softmax.simplex"), std::string::npos);
  EXPECT_NE(text.find("1 VERIFIED"), std::string::npos);
}

TEST(Console, ColoursOnlyWhenAsked) {
  EXPECT_EQ(to_console(sample_result(), {}).find('\x1b'), std::string::npos);
  EXPECT_NE(to_console(sample_result(), {.color = true}).find('\x1b'), std::string::npos);
  Result result = sample_result();
  result.claims[3].reason = "\x1b[2J a kernel's own text";
  EXPECT_EQ(to_console(result, {}).find('\x1b'), std::string::npos);
}

TEST(Console, TakesHostileText) {
  EXPECT_FALSE(to_console(hostile_result(), {.verbose = true}).empty());
}

}  // namespace
}  // namespace rootdk::reports
