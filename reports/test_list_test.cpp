#include <rootdk/reports/json.hpp>
#include <rootdk/reports/sample_test.ipp>
#include <rootdk/reports/test_list.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace rootdk::reports {
namespace {

TestList some_tests(int first, int count) {
  TestList tests;
  for (int i = first; i < first + count; ++i) {
    tests.push_back(scale_test("d_k=" + std::to_string(i), 2 + i / 64.0, Verdict::verified));
  }
  return tests;
}

void expect_tests(const TestList& tests, int first, int count) {
  ASSERT_EQ(tests.size(), static_cast<std::size_t>(count));
  for (const TestRecord& test : tests) {
    EXPECT_EQ(test.configuration, "d_k=" + std::to_string(first));
    EXPECT_EQ(test.estimate, 2 + first / 64.0);
    EXPECT_EQ(test.verdict, Verdict::verified);
    ++first;
  }
}

TEST(TestList, IsTheSameInMemoryAndInAFile) {
  TestList tests = some_tests(1, 100);
  expect_tests(tests, 1, 100);
  tests.spool(std::make_shared<Spool>());
  expect_tests(tests, 1, 100);
  const TestList copy = tests;
  tests.push_back(scale_test("d_k=101", 2 + 101 / 64.0, Verdict::verified));
  expect_tests(tests, 1, 101);
  expect_tests(copy, 1, 100);
}

TEST(TestList, KeepsEveryFieldOfAnyText) {
  for (const ClaimRecord& claim : hostile_result().claims) {
    ClaimRecord spooled = claim;
    spooled.configurations.spool(std::make_shared<Spool>());
    Result before;
    before.claims = {claim};
    Result after;
    after.claims = {spooled};
    EXPECT_EQ(to_json(before), to_json(after));
  }
}

TEST(TestList, IsEmptyAtFirst) {
  TestList tests;
  EXPECT_TRUE(tests.empty());
  tests.spool(std::make_shared<Spool>());
  for (const TestRecord& test : tests) ADD_FAILURE() << test.check;
  EXPECT_TRUE(tests.all().empty());
}

TEST(TestList, SharesAFileBetweenThreads) {
  const auto file = std::make_shared<Spool>();
  std::vector<TestList> lists(8);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        TestList& mine = lists[static_cast<std::size_t>(t)];
        mine = some_tests(100 * t, 50 + t);
        mine.spool(file);
        expect_tests(mine, 100 * t, 50 + t);
      });
    }
  }
  for (int t = 0; t < 8; ++t) expect_tests(lists[static_cast<std::size_t>(t)], 100 * t, 50 + t);
}

}  // namespace
}  // namespace rootdk::reports
