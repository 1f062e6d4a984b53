#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/cli/command.hpp>
#include <rootdk/reports/json.hpp>
#include <rootdk/reports/output.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace rootdk {
namespace {

namespace fs = std::filesystem;

int rootdk_command(std::vector<std::string> words) {
  words.insert(words.begin(), "rootdk");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return command(static_cast<int>(argv.size()), argv.data());
}

/// In a folder of its own, with the result of one claim at quick effort in now.json.
class Baseline : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::current_path();
    folder_ = fs::temp_directory_path() / ("rootdk_baseline_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(home_);
    fs::remove_all(folder_);
  }

  static int run(std::vector<std::string> more) {
    more.insert(more.begin(),
                {"run", "--effort", "quick", "--filter", "^scores\\.scaled_variance$", "-q"});
    return rootdk_command(std::move(more));
  }
  /// The stored result of that path, changed, as another file.
  template <class F>
  static void change(const std::string& from, const std::string& to, F&& f) {
    reports::Result result = reports::from_json(reports::read_file(from));
    f(result);
    reports::write_file(to, reports::to_json(result));
  }

  fs::path home_, folder_;
};

TEST_F(Baseline, SavedByNameIsComparedByName) {
  EXPECT_EQ(run({"--save-baseline", "main"}), 0);
  EXPECT_TRUE(fs::exists(".rootdk/baselines/main.json"));
  EXPECT_EQ(run({"--baseline", "main"}), 0);
  EXPECT_EQ(run({"--baseline", ".rootdk/baselines/main.json", "--seed", "2"}), 0);
  EXPECT_EQ(rootdk_command({"compare", "main", ".rootdk/baselines/main.json"}), 0);
}

TEST_F(Baseline, RegressionExitsFive) {
  ASSERT_EQ(run({"--json", "now.json"}), 0);
  change("now.json", "worse.json",
         [](reports::Result& result) { result.claims[0].verdict = stats::Verdict::inconclusive; });
  change("now.json", "narrow.json", [](reports::Result& result) {
    result.claims[0].pooled[0].statistic_first *= 0.5;
    result.claims[0].pooled[0].estimate = 0.99 * result.claims[0].pooled[0].expected;
  });
  EXPECT_EQ(rootdk_command({"compare", "now.json", "worse.json"}), 5);
  EXPECT_EQ(rootdk_command({"compare", "worse.json", "now.json"}), 0);
  EXPECT_EQ(rootdk_command({"compare", "now.json", "narrow.json"}), 5);
}

TEST_F(Baseline, RefutedComesBeforeRegression) {
  ASSERT_EQ(run({"--save-baseline", "main"}), 0);
  const auto faulty = std::ranges::find_if(all_defects(), [](const Defect& defect) {
    return std::ranges::find(defect.refuted_by, "scores.scaled_variance") !=
           defect.refuted_by.end();
  });
  if (faulty == all_defects().end()) GTEST_SKIP() << "no defect names scores.scaled_variance";
  EXPECT_EQ(run({"--baseline", "main", "--subject", faulty->id}), 1);
}

TEST_F(Baseline, BadInputRunsNothing) {
  EXPECT_EQ(run({"--baseline", "none", "--json", "now.json"}), 2);
  EXPECT_EQ(run({"--save-baseline", "../up", "--json", "now.json"}), 2);
  EXPECT_FALSE(fs::exists("now.json"));
  ASSERT_EQ(run({"--json", "now.json"}), 0);
  change("now.json", "deep.json", [](reports::Result& result) { result.run.effort = "deep"; });
  EXPECT_EQ(run({"--with", "now.json", "--html", "with.html"}), 2);
  EXPECT_FALSE(fs::exists("with.html"));
  reports::write_file("other.json", R"({"schema": "rootdk/result/0"})");
  reports::write_file("no.json", "no JSON");
  for (const char* other : {"deep.json", "other.json", "no.json", "none.json"}) {
    EXPECT_EQ(rootdk_command({"compare", "now.json", other}), 2) << other;
    EXPECT_EQ(run({"--baseline", other}), 2) << other;
  }
}

TEST_F(Baseline, StoredResultRendersAgain) {
  ASSERT_EQ(run({"--json", "now.json"}), 0);
  EXPECT_EQ(rootdk_command({"report", "now.json", "--json", "again.json", "--html", "a.html",
                            "--md", "a.md", "--csv", "a.csv", "--junit", "a.xml", "-q"}),
            0);
  EXPECT_EQ(reports::read_file("now.json"), reports::read_file("again.json"));
  for (const char* file : {"a.html", "a.md", "a.csv", "a.xml"})
    EXPECT_GT(fs::file_size(file), 100U);
  EXPECT_EQ(rootdk_command({"report", "now.json", "--with", "now.json", "--html", "b.html"}), 2);
  EXPECT_EQ(rootdk_command({"report", "now.json", "--html", "no/such/folder/b.html"}), 2);
}

}  // namespace
}  // namespace rootdk
