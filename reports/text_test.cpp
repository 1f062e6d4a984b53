#include <rootdk/reports/console.hpp>
#include <rootdk/reports/csv.hpp>
#include <rootdk/reports/html_parts.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/junit.hpp>
#include <rootdk/reports/markdown.hpp>
#include <rootdk/reports/output.hpp>
#include <rootdk/reports/sample_test.ipp>
#include <rootdk/reports/text.hpp>

#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace rootdk::reports {
namespace {

TEST(Text, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printable("√dₖ 😀\t\n"), "√dₖ 😀\t\n");
  EXPECT_EQ(printable("a\x01\x7f"), "a\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xff"), "\uFFFD");
  EXPECT_EQ(printable("\xc0\xaf"), "\uFFFD\uFFFD");            // an overlong /
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82"), "\uFFFD\uFFFD");            // cut short
  EXPECT_EQ(printable("\xf4\x90\x80\x80").size(), 12U);        // beyond U+10FFFF
}

TEST(Text, EscapesEachFormat) {
  EXPECT_EQ(escape_html("<a b='\"'>&"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;");
  EXPECT_EQ(escape_markdown("a|b_c\n`d`"), "a\\|b\\_c \\`d\\`");
  EXPECT_EQ(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_field("plain"), "plain");
}

TEST(Text, CountsAreReadable) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(31120), "31,120");
  EXPECT_EQ(count_text(123456), "123,456");
  EXPECT_EQ(count_text(2.31e8), "231 million");
  EXPECT_EQ(count_text(std::nan("")), "nan");
}

/// Lines of fields, by RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      lines.push_back({""});
      ++i;
    } else {
      lines.back().back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

TEST(Csv, HasOneLineATestWithAllItsDigits) {
  for (const Result& result : {sample_result(), hostile_result()}) {
    const auto lines = parse_csv(to_csv(result));
    std::size_t tests = 0;
    for (const ClaimRecord& claim : result.claims)
      tests += claim.pooled.size() + claim.configurations.size();
    ASSERT_EQ(lines.size(), tests + 1);
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines[0].size());
  }
  Result result = sample_result();
  result.claims[0].pooled[0].estimate = 0.1 + 0.2;
  const auto lines = parse_csv(to_csv(result));
  EXPECT_EQ(lines[0][7], "estimate");
  EXPECT_EQ(std::stod(lines[1][7]), 0.1 + 0.2);
}

TEST(Csv, KeepsHostileTextInItsField) {
  const Result result = hostile_result();
  const auto lines = parse_csv(to_csv(result));
  EXPECT_EQ(lines[1][0], printable(result.claims[0].id));
  EXPECT_EQ(lines[3].back(), printable(hostile_text()));
}

TEST(Markdown, StaysBelowTheLimitAndCountsWhatIsLeftOut) {
  Result result = hostile_result();
  while (result.claims.size() < 2000)
    result.claims.push_back(result.claims[result.claims.size() % 6]);
  const std::string text = to_markdown(result);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_NE(text.find("entries more do not fit"), std::string::npos);
}

TEST(Markdown, KeepsEveryRowWhole) {
  const std::string text = to_markdown(hostile_result());
  const std::size_t table = text.find("\n|---|");
  ASSERT_NE(table, std::string::npos);
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n|", table + 2); at != std::string::npos;
       at = text.find("\n|", at + 1)) {
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == '|') {
        ++bars;
      }
    }
    EXPECT_EQ(bars, 5U) << line.substr(0, 80);
    ++rows;
  }
  EXPECT_EQ(rows, hostile_result().claims.size());
}

pugi::xml_document parse_xml(const std::string& text) {
  pugi::xml_document document;
  const auto parsed = document.load_string(text.c_str());
  EXPECT_TRUE(parsed) << parsed.description();
  return document;
}

TEST(Junit, CountsWhatItHolds) {
  for (const bool strict : {false, true}) {
    const auto document = parse_xml(to_junit(sample_result(), strict));
    const auto suites = document.child("testsuites");
    EXPECT_EQ(suites.attribute("tests").as_int(), 6);
    EXPECT_EQ(suites.attribute("failures").as_int(), strict ? 3 : 2);
    EXPECT_EQ(suites.attribute("errors").as_int(), 1);
    EXPECT_EQ(suites.attribute("skipped").as_int(), strict ? 1 : 2);
    EXPECT_EQ(suites.select_nodes("//failure").size(), strict ? 3U : 2U);
    EXPECT_EQ(suites.select_nodes("//testcase").size(), 6U);
  }
}

TEST(Junit, FollowsTheCommonSchema) {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "xmllint is not installed";
  const std::string path =
      (std::filesystem::temp_directory_path() / "rootdk_junit_test.xml").string();
  for (const Result& result : {sample_result(), hostile_result(), Result{}}) {
    write_file(path, to_junit(result));
    const std::string command = "xmllint --noout --huge --schema '" ROOTDK_SOURCE_DIR
                                "/reports/junit.xsd' '" +
                                path + "' >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  std::filesystem::remove(path);
}

TEST(Junit, KeepsHostileTextInItsPlace) {
  const auto document = parse_xml(to_junit(hostile_result()));
  for (const auto node : document.select_nodes("//*")) {
    const std::string name = node.node().name();
    EXPECT_TRUE(name == "testsuites" || name == "testsuite" || name == "testcase" ||
                name == "failure" || name == "error" || name == "skipped")
        << name;
  }
}

/// Compares with the stored text; ROOTDK_UPDATE_GOLDEN=1 stores it.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = ROOTDK_SOURCE_DIR "/reports/golden/" + name;
  if (std::getenv("ROOTDK_UPDATE_GOLDEN") != nullptr) write_file(path, text);
  EXPECT_EQ(text, read_file(path)) << name;
}

TEST(Writers, WriteTheStoredTexts) {
  expect_golden("result.json", to_json(sample_result()));
  expect_golden("junit.xml", to_junit(sample_result()));
  expect_golden("summary.md", to_markdown(sample_result()));
  expect_golden("evidence.csv", to_csv(sample_result()));
  expect_golden("console.txt", to_console(sample_result(), {}));
  std::string claims;
  std::size_t rank = 0;
  const Result result = sample_result();
  for (const ClaimRecord* claim : worst_first(result)) claims += claim_html(*claim, rank++);
  expect_golden("claims.html", claims);
}

}  // namespace
}  // namespace rootdk::reports
