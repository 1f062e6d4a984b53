#include <rootdk/reports/html.hpp>
#include <rootdk/reports/html_parts.hpp>
#include <rootdk/reports/interval_svg.hpp>
#include <rootdk/reports/sample_test.ipp>
#include <rootdk/reports/text.hpp>
#include <rootdk/reports/web_assets.hpp>
#include <rootdk/stats/distributions.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace rootdk::reports {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

nlohmann::json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=data>";
  const std::size_t start = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
}

/// The page less the libraries, which are inlined as they are.
std::string without_libraries(std::string page) {
  for (const std::string_view library :
       {web_assets().vega, web_assets().vega_lite, web_assets().vega_embed, web_assets().temml}) {
    if (!library.empty()) page.erase(page.find(library), library.size());
  }
  return page;
}

TEST(Html, HostileTextOpensNoElement) {
  const std::string page = without_libraries(to_html(hostile_result()));
  const std::string plain = without_libraries(to_html(sample_result()));
  // The ends of scripts, styles and comments are those of the page without hostile text.
  for (const char* part : {"<script", "</script", "<style", "</style", "<!--", "</textarea"}) {
    EXPECT_EQ(occurrences(page, part), occurrences(plain, part)) << part;
  }
  EXPECT_TRUE(page == printable(page));
}

TEST(Html, DataReadBack) {
  const auto data = data_of(to_html(hostile_result()));
  ASSERT_EQ(data["claims"].size(), 6U);
  EXPECT_EQ(data["claims"][0]["latex"].get<std::string>().size() > 10000, true);
  const auto plain = data_of(to_html(sample_result()));
  const auto& tests = plain["claims"][0]["tests"];
  EXPECT_EQ(tests["count"], 12);
  EXPECT_EQ(tests["fields"]["d_k"].size(), 12U);
  EXPECT_EQ(tests["fields"]["law"], "normal");
  // 1024 degrees of freedom, x = 1024 + (i + 1)/2: the normal value of the same tail, to two digits.
  const auto& looks = plain["looks"];
  for (std::size_t i = 0; i < 12; ++i) {
    ASSERT_EQ(looks["claim"][i], 0);
    const double z = looks["score"][i].get<double>();
    const double upper = stats::chi_squared_upper(1024, 1024 + static_cast<double>(i + 1) / 2);
    EXPECT_LE(stats::normal_upper(z + 0.005), upper) << i;
    EXPECT_GE(stats::normal_upper(z - 0.005), upper) << i;
  }
}

TEST(Html, TakesSubnormalNumbers) {
  Result result;
  result.claims.push_back(claim_record("scores.variance", Verdict::verified));
  result.claims.back().configurations = {bound_test(1e-311, Verdict::verified)};
  EXPECT_NO_THROW(to_html(result));
}

TEST(Html, AsksNoNetwork) {
  const std::string page = without_libraries(to_html(sample_result()));
  for (const char* part : {" src=", "@import", "url(", "<link rel=stylesheet"}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
}

TEST(Html, StaysBelowFourMegabytesWithDeepEvidence) {
  Result result = sample_result();
  for (int c = 0; c < 200; ++c) {
    ClaimRecord claim = claim_record("area.claim" + std::to_string(c), Verdict::verified);
    for (int i = 0; i < 1000; ++i) {
      claim.configurations.push_back(scale_test(
          "d_k=" + std::to_string(i) + ",n=" + std::to_string(c), 2 + i / 1e5, Verdict::verified));
    }
    result.claims.push_back(claim);
  }
  EXPECT_LT(to_html(result).size(), 4'000'000U);
}

TEST(Html, ShowsClaimsWorstFirst) {
  const std::string page = to_html(sample_result());
  std::size_t last = 0;
  for (const char* id :
       {"norm.rms", "softmax.simplex", "init.law", "depth.gain", "scores.variance", "init.gain"}) {
    const std::size_t at = page.find("<details class=claim id=\"" + std::string(id));
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, last) << id;
    last = at;
  }
}

TEST(Html, ShowsWhatWasMeasured) {
  const Measured measured{
      .defects =
          R"({"schema": "rootdk/defects/1", "defects": [{"id": "scale.root_missing", "refuted": true,
        "by": ["scores.variance"], "missed": [], "samples": 100, "verified_others": 3}],
        "equivalents": [{"id": "scale.order", "verdict": "VERIFIED"}]})",
      .calibration =
          R"({"schema": "rootdk/calibration/1", "families": [{"family": "chi_squared", "exact": true,
        "alpha": {"declared": 1e-6, "measured": 1.001e-6}, "beta": {"declared": 1e-6, "measured": 9.99e-7}}],
        "checkers": [{"rule": "slow", "found": 385, "wrong": 702, "refused": 0, "right": 58}]})"};
  const std::string page = to_html(sample_result(), measured);
  for (const char* part :
       {"scale.root_missing", "1 of 1 planted defects", "scale.order", "1.001e-06", "385"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_THROW(to_html(sample_result(), {.defects = "{}", .calibration = {}}),
               std::invalid_argument);
  EXPECT_THROW(to_html(sample_result(), {.defects = "no JSON", .calibration = {}}),
               std::invalid_argument);
  EXPECT_THROW(to_html(sample_result(), {.defects = R"({"defects": [1]})", .calibration = {}}),
               std::invalid_argument);
}

TEST(IntervalSvg, IsWellFormedAndSaysItsNumbers) {
  const std::string svg = interval_svg(scale_test("d_k=1", 2, Verdict::verified));
  EXPECT_NE(svg.find("aria-label=\"2, interval 1.938 to 2.062, against 2 ± 0.125\""),
            std::string::npos)
      << svg;
  // The estimate is the claimed value: in the middle.
  EXPECT_NE(svg.find("cx=80.0"), std::string::npos);
  for (const double estimate :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(interval_svg(scale_test("d_k=1", estimate, Verdict::refuted)).find("cx=nan"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace rootdk::reports
