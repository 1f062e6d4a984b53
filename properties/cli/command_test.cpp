#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/run.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rootdk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Outcome {
  int code = -1;
  std::string out;  ///< standard output and error together
};

Outcome shell(const std::string& line) {
  Outcome outcome;
  FILE* pipe = popen(("(" + line + ") 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.out.append(buffer.data(), n);
  }
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

Outcome rootdk(const std::string& arguments) {
  return shell(std::string(ROOTDK_COMMAND) + " " + arguments);
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder of its own for each test, empty at the start.
class Command : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("rootdk-" + std::string(info->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool empty() const { return fs::is_empty(folder_); }

  fs::path folder_;
};

constexpr const char* kOne = "run --effort quick --filter '^scores.scaled_variance$' ";

/// One clear line that names the value, the documented code, and nothing written.
void expect_refused(const Outcome& outcome, int code, const std::string& names) {
  EXPECT_EQ(outcome.code, code) << outcome.out;
  EXPECT_EQ(lines(outcome.out), 1U) << outcome.out;
  EXPECT_NE(outcome.out.find(names), std::string::npos) << outcome.out;
}

TEST_F(Command, VerifiesAndExitsWithZero) {
  const Outcome outcome = rootdk(kOne);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("1 VERIFIED"), std::string::npos);
}

TEST_F(Command, RefusesBadInputInOneLine) {
  expect_refused(rootdk(std::string(kOne) + "--alpha 2"), 2, "2");
  expect_refused(rootdk(std::string(kOne) + "--alpha nan"), 2, "nan");
  expect_refused(rootdk(std::string(kOne) + "--seed x"), 2, "x");
  expect_refused(rootdk(std::string(kOne) + "--seed 9007199254740992"), 2, "9007199254740992");
  expect_refused(rootdk(std::string(kOne) + "--effort slow"), 2, "slow");
  expect_refused(rootdk(std::string(kOne) + "--subject scale.rot_missing"), 2, "scale.rot_missing");
  expect_refused(rootdk("run --filter '['"), 2, "[");
  expect_refused(rootdk("run --jobs many"), 2, "many");
  expect_refused(rootdk("run --frobnicate"), 2, "frobnicate");
  expect_refused(rootdk("walk"), 2, "walk");
  expect_refused(rootdk("replay nonsense"), 2, "nonsense");
  expect_refused(rootdk("report /nonexistent.json"), 2, "/nonexistent.json");
}

TEST_F(Command, SaysWhatWasMeant) {
  expect_refused(rootdk("explain scores.scaled_varience"), 4,
                 "did you mean scores.scaled_variance");
  expect_refused(rootdk("run --filter scores.scaled_varience"), 4, "scores.scaled_variance");
}

TEST_F(Command, RefusesAnUnwritablePathBeforeItRuns) {
  expect_refused(rootdk(std::string(kOne) + "--json /nonexistent/x.json"), 2,
                 "/nonexistent/x.json");
  expect_refused(rootdk(std::string(kOne) + "--html " + folder_.string()), 2, folder_.string());
  EXPECT_TRUE(empty());
}

TEST_F(Command, LeavesNothingBehindWhenInterrupted) {
  const Outcome outcome =
      shell("timeout -s INT 0.3 " + std::string(ROOTDK_COMMAND) + " run --effort deep --json " +
            path("r.json") + "; code=$?; exit $code");
  // timeout reports 124 for a command that it had to signal; the message is the command's own.
  EXPECT_EQ(outcome.code, 124) << outcome.out;
  EXPECT_NE(outcome.out.find("interrupted"), std::string::npos) << outcome.out;
  EXPECT_TRUE(empty());
}

TEST_F(Command, ExitsWith130WhenInterrupted) {
  const Outcome outcome =
      shell(std::string(ROOTDK_COMMAND) +
            " run --effort deep & pid=$!; sleep 0.3; kill -TERM $pid; wait $pid");
  EXPECT_EQ(outcome.code, 130) << outcome.out;
}

TEST_F(Command, ReadsAStoredResultAgain) {
  ASSERT_EQ(rootdk(std::string(kOne) + "--json " + path("a.json")).code, 0);
  ASSERT_EQ(rootdk("report " + path("a.json") + " --json " + path("b.json")).code, 0);
  EXPECT_EQ(read(path("a.json")), read(path("b.json")));
  std::ofstream(path("c.json")) << R"({"schema": "rootdk/result/9"})";
  expect_refused(rootdk("report " + path("c.json")), 2, "rootdk/result/9");
}

TEST_F(Command, WritesJsonAloneToStandardOutput) {
  const Outcome outcome = rootdk(std::string(kOne) + "--json -");
  EXPECT_EQ(Json::parse(outcome.out)["schema"], "rootdk/result/1");
}

TEST_F(Command, ReplaysAFailureToTheLastDigit) {
  const Outcome run =
      rootdk(std::string(kOne) + "--subject scale.root_missing --json " + path("r.json"));
  EXPECT_EQ(run.code, 1) << run.out;
  const Json result = Json::parse(read(path("r.json")));
  const Json& record = result["claims"][0]["configurations"][0];
  const Outcome again = rootdk("replay '" + record["replay"].get<std::string>() + "'");
  EXPECT_EQ(again.code, 1) << again.out;
  const std::string estimate = fmt::format("{:.17g}", record["estimate"].get<double>());
  EXPECT_NE(again.out.find("estimate " + estimate), std::string::npos) << again.out << estimate;
}

TEST_F(Command, ReplaysTheSimplestFailureOnTheDataThatShowedIt) {
  const Outcome run =
      rootdk(std::string(kOne) + "--subject scale.root_missing --json " + path("r.json"));
  const Json record = Json::parse(read(path("r.json")))["claims"][0]["minimal"];
  const Outcome again = rootdk("replay '" + record["replay"].get<std::string>() + "'");
  EXPECT_EQ(again.code, 1) << again.out;
  for (const auto& [word, field] : {std::pair("estimate", "estimate"), std::pair("p =", "p")}) {
    const std::string text = fmt::format("{} {:.{}g}", word, record[field].get<double>(),
                                         std::string_view(field) == "p" ? 2 : 17);
    EXPECT_NE(again.out.find(text), std::string::npos) << again.out << text;
  }
}

/// The stored result without what may differ between two runs of one seed.
Json comparable(const std::string& path) {
  Json result = Json::parse(read(path));
  for (const char* field : {"started", "wall_s", "jobs"}) result["run"].erase(field);
  for (Json& claim : result["claims"]) claim.erase("wall_s");
  return result;
}

TEST_F(Command, GivesTheSameNumbersForAnyNumberOfThreads) {
  for (const char* jobs : {"1", "2", "3", "8"}) {
    rootdk("run --effort quick --filter '^(scores|linear)\\.' --jobs " + std::string(jobs) +
           " --json " + path(std::string(jobs) + ".json"));
  }
  for (const char* jobs : {"2", "3", "8"}) {
    EXPECT_EQ(comparable(path("1.json")), comparable(path(std::string(jobs) + ".json"))) << jobs;
  }
}

TEST_F(Command, GivesAClaimTheSameNumbersWhateverElseIsRun) {
  // By another filter the claim runs first, on another thread, with other things before it.
  rootdk("run --effort quick --filter '^scores\\.' --jobs 3 --json " + path("all.json"));
  rootdk("run --effort quick --filter '^(scores\\.variance|linear\\.)' --jobs 2 --json " +
         path("some.json"));
  const auto claim_of = [](const Json& result) {
    for (const Json& claim : result["claims"]) {
      if (claim["id"] == "scores.variance") return claim;
    }
    return Json();
  };
  const Json alone = claim_of(comparable(path("some.json")));
  ASSERT_FALSE(alone.is_null());
  EXPECT_EQ(claim_of(comparable(path("all.json"))), alone);
}

TEST_F(Command, MergesSharesIntoTheResultOfOneProcess) {
  const std::string run = "run --effort quick --filter '^(scores|linear)\\.' --json ";
  ASSERT_EQ(rootdk(run + path("one.json")).code, 0);
  for (const char* i : {"1", "2", "3"}) {
    const std::string part = path(std::string("part") + i + ".json");
    ASSERT_EQ(rootdk(run + part + " --shard " + i + "/3").code, 0);
  }
  const std::string merge =
      "merge " + path("part3.json") + " " + path("part1.json") + " " + path("part2.json");
  ASSERT_EQ(rootdk(merge + " --json " + path("merged.json")).code, 0);
  EXPECT_EQ(comparable(path("merged.json")), comparable(path("one.json")));
  expect_refused(rootdk("merge " + path("part1.json") + " " + path("part2.json")), 2,
                 "share 3 of 3 is missing");
  expect_refused(rootdk("merge " + path("part1.json") + " " + path("part1.json")), 2, "twice");
  expect_refused(rootdk("merge " + path("one.json")), 2, "rootdk/result/1");
  expect_refused(rootdk(run + path("x.json") + " --shard 4/3"), 2, "4/3");
}

TEST_F(Command, ChangesNoNumberOfTheClaimsThatAFilterKeeps) {
  rootdk("run --effort quick --filter '^scores\\.' --json " + path("all.json"));
  rootdk(std::string(kOne) + "--json " + path("one.json"));
  const Json all = comparable(path("all.json"));
  const Json one = comparable(path("one.json"))["claims"][0];
  const auto found = std::find_if(all["claims"].begin(), all["claims"].end(),
                                  [&](const Json& claim) { return claim["id"] == one["id"]; });
  ASSERT_NE(found, all["claims"].end());
  EXPECT_EQ(*found, one);
}

TEST_F(Command, DrawsOtherDataForAnotherSeed) {
  rootdk(std::string(kOne) + "--seed 1 --json " + path("1.json"));
  rootdk(std::string(kOne) + "--seed 2 --json " + path("2.json"));
  EXPECT_NE(comparable(path("1.json"))["claims"][0]["pooled"][0]["statistic"],
            comparable(path("2.json"))["claims"][0]["pooled"][0]["statistic"]);
}

TEST_F(Command, DeclaresNoMoreThanItsAlpha) {
  rootdk("run --effort quick --json " + path("r.json"));
  const Json result = Json::parse(read(path("r.json")));
  double sum = 0;
  for (const Json& claim : result["claims"]) {
    for (const char* list : {"configurations", "pooled"}) {
      for (const Json& test : claim[list]) sum += test["alpha"].get<double>();
    }
  }
  const auto& ledger = result["ledger"];
  EXPECT_LE(sum + ledger["alpha_reserved"].get<double>(), ledger["alpha_total"].get<double>());
  // A claim whose subject lacks something spends nothing; nobody spends more than was booked.
  constexpr double rounding = 1e-9;
  EXPECT_LE(sum, ledger["alpha_declared"].get<double>() * (1 + rounding));
}

TEST_F(Command, ExplainsEveryClaim) {
  for (const Claim& claim : all_claims()) {
    const Outcome outcome = rootdk("explain " + claim.id);
    EXPECT_EQ(outcome.code, 0) << claim.id << outcome.out;
    EXPECT_NE(outcome.out.find(claim.statement), std::string::npos) << claim.id;
  }
}

TEST_F(Command, ListsWhatThereIsAsJson) {
  for (const char* what : {"claims", "schemes", "initialisers", "defects", "subjects"}) {
    const Outcome outcome = rootdk("list " + std::string(what) + " --json");
    EXPECT_EQ(outcome.code, 0) << what;
    const Json list = Json::parse(outcome.out);
    EXPECT_FALSE(list.empty()) << what;
    for (const Json& item : list) EXPECT_TRUE(item.contains("id")) << what;
  }
}

TEST_F(Command, PlansWithoutWriting) {
  const Outcome outcome = rootdk("plan --filter '^scores.scaled_variance$'");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("predicted"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace rootdk
