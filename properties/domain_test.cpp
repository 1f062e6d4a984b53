#include <rootdk/properties/domain.hpp>
#include <rootdk/stats/distributions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

namespace rootdk {
namespace {

Domain scores_domain() {
  return Domain()
      .integer("d_k", 1, 128)
      .integer("n", 1, 32)
      .integer("h", 1, 4)
      .real("gamma", 0.5, 2, 0.0625)
      .choice("law", {"normal", "uniform", "two_point"})
      .valid("n ≤ d_k",
             [](Configuration& c) { c.set("n", std::min(c.integer("n"), c.integer("d_k"))); });
}

TEST(Domain, PrintsAndReadsItsConfigurations) {
  const Domain domain = scores_domain();
  for (const Configuration& configuration : draw_configurations(domain, 200, 5)) {
    EXPECT_EQ(domain.parse(configuration.str()), configuration);
  }
}

TEST(Domain, NamesWhatIsWrongWithAConfiguration) {
  const Domain domain = scores_domain();
  const auto message = [&](const char* text) {
    try {
      domain.parse(text);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("d_k=17").find("'n' is missing"), std::string::npos);
  EXPECT_NE(message("d=17").find("'d=17' is no field"), std::string::npos);
  EXPECT_NE(message("d_k=x,n=1,h=1,gamma=1,law=normal").find("d_k=x"), std::string::npos);
  EXPECT_NE(message("d_k=999,n=1,h=1,gamma=1,law=normal").find("outside"), std::string::npos);
  EXPECT_NE(message("d_k=2,n=9,h=1,gamma=1,law=normal").find("nearest is"), std::string::npos);
  EXPECT_NE(message("d_k=2,n=1,h=1,gamma=0.3,law=normal").find("gamma=0.3"), std::string::npos);
  EXPECT_NE(message("d_k=2,n=1,h=1,gamma=1,law=cauchy").find("none of"), std::string::npos);
}

TEST(Domain, ReadsWhatItsMapLeadsOutOfAnAxis) {
  const Domain domain =
      Domain().integer("d_k", 1, 16).integer("n", 8, 48).valid("n ≤ d_k", at_most("n", "d_k"));
  EXPECT_EQ(domain.parse("d_k=2,n=2").integer("n"), 2);
  EXPECT_THROW(domain.parse("d_k=2,n=3"), std::invalid_argument);
  EXPECT_THROW(domain.parse("d_k=16,n=7"), std::invalid_argument);
  EXPECT_THROW(domain.parse("d_k=16,n=49"), std::invalid_argument);
}

TEST(DrawConfigurations, EnumeratesAFiniteDomain) {
  const Domain domain = Domain().integer("a", 1, 3).choice("b", {"x", "y"});
  const auto all = draw_configurations(domain, 10, 1);
  std::set<std::string> seen;
  for (const Configuration& configuration : all) seen.insert(configuration.str());
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(seen.size(), 6U);
}

TEST(DrawConfigurations, AreDistinctAndAFunctionOfTheSeed) {
  const Domain domain = scores_domain();
  const auto first = draw_configurations(domain, 100, 1);
  EXPECT_EQ(first, draw_configurations(domain, 100, 1));
  EXPECT_NE(first, draw_configurations(domain, 100, 2));
  std::set<std::string> seen;
  for (const Configuration& configuration : first) seen.insert(configuration.str());
  EXPECT_EQ(seen.size(), first.size());
}

TEST(DrawConfigurations, TakeTurnsInTheirChoices) {
  std::map<std::string, int> times;
  for (const Configuration& configuration : draw_configurations(scores_domain(), 99, 3)) {
    ++times[configuration.text("law")];
  }
  EXPECT_EQ(times.size(), 3U);
  for (const auto& [law, count] : times) EXPECT_EQ(count, 33) << law;
}

/// The share of configurations with a property lies above `least`, by the exact lower limit of
/// Clopper and Pearson at one in a million.
void expect_share(const std::function<bool(const Configuration&)>& property, double least,
                  const char* what) {
  constexpr double tail = 1e-6;
  const auto drawn = draw_configurations(scores_domain(), 1000, 17);
  const auto n = static_cast<double>(drawn.size());
  const auto k = static_cast<double>(std::ranges::count_if(drawn, property));
  EXPECT_GE(stats::beta_lower_quantile(k, n - k + 1, tail), least) << what << ": " << k;
}

TEST(DrawConfigurations, CoverWhatDefectsHideBehind) {
  using C = Configuration;
  expect_share([](const C& c) { return c.integer("d_k") % 2 == 1; }, 0.4, "odd d_k");
  expect_share(
      [](const C& c) {
        const auto d = static_cast<std::uint64_t>(c.integer("d_k"));
        return (d & (d - 1)) != 0;
      },
      0.85, "d_k not a power of two");
  expect_share([](const C& c) { return c.integer("h") > 1; }, 0.65, "more than one head");
  expect_share([](const C& c) { return c.integer("n") > 1; }, 0.85, "more than one query");
  expect_share([](const C& c) { return c.real("gamma") != 1; }, 0.85, "gamma not 1");
  expect_share([](const C& c) { return c.integer("d_k") > 64; }, 0.4, "large d_k");
  expect_share([](const C& c) { return c.integer("d_k") <= 32; }, 0.15, "small d_k");
}

TEST(ShrinkConfiguration, FindsTheSmallestThatStillFails) {
  const Domain domain = scores_domain();
  const Configuration start = domain.parse("d_k=101,n=30,h=3,gamma=1.75,law=two_point");
  int asked = 0;
  const Configuration smallest =
      shrink_configuration(domain, start, 256, [&](const Configuration& c) {
        ++asked;
        return c.integer("d_k") >= 17 && c.integer("n") >= 3;
      });
  EXPECT_EQ(smallest.str(), "d_k=17,n=3,h=1,gamma=0.5,law=normal");
  EXPECT_LE(asked, 256);
}

TEST(ShrinkConfiguration, StopsAtItsBudget) {
  const Domain domain = scores_domain();
  const Configuration start = domain.parse("d_k=101,n=30,h=3,gamma=1.75,law=two_point");
  int asked = 0;
  shrink_configuration(domain, start, 3, [&](const Configuration&) {
    ++asked;
    return false;
  });
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace rootdk
