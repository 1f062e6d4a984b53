#include <rootdk/properties/subjects/process.hpp>
#include <rootdk/properties/subjects/protocol.hpp>

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>

namespace rootdk {
namespace {

std::string why_not(const std::string& command) {
  try {
    process_subject(command, {.start = std::chrono::seconds(2)});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "started";
}

/// A child that declares softmax in double and answers each call with these bytes.
std::string child(const std::string& answer) {
  return R"(echo '{"protocol": "rootdk/subject/1", "name": "child", "kernels": [{"op": "softmax",)"
         R"( "pass": "forward", "dtypes": ["f64"]}]}'; read line; )" +
         answer;
}

std::string call(const std::string& answer, std::array<std::int64_t, 4> shape = {1, 1, 1, 1}) {
  const Subject subject = process_subject(
      child(answer), {.start = std::chrono::seconds(10), .call = std::chrono::seconds(1)});
  std::array<double, 4> in{1, 2, 3, 4};
  std::array<double, 4> out{};
  const Tensor z{.data = in.data(), .dtype = Dtype::f64, .shape = shape, .stride = {1, 1, 1, 1}};
  Tensor p = z;
  p.data = out.data();
  try {
    subject.call("softmax", Pass::forward, {}, {&z, 1}, {&p, 1});
  } catch (const NotApplicable& lacking) {
    return std::string("not applicable: ") + lacking.what();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "answered";
}

TEST(ProcessSubject, SaysWhyItCannotStart) {
  EXPECT_NE(why_not("exit 3").find("ended with exit code 3"), std::string::npos);
  EXPECT_NE(why_not("kill -SEGV $$").find("signal 11"), std::string::npos);
  EXPECT_NE(why_not("echo hello").find("no valid header"), std::string::npos);
  EXPECT_NE(why_not("sleep 30").find("no answer in time"), std::string::npos);
  EXPECT_NE(why_not(R"(echo '{"protocol": "rootdk/subject/9"}')").find("speaks"),
            std::string::npos);
}

TEST(ProcessSubject, SaysWhyACallFailed) {
  EXPECT_EQ(call(R"(echo '{"bytes": 8}'; printf 01234567)"), "answered");
  EXPECT_NE(call(R"(echo '{"bytes": 4}')").find("4 bytes of 8"), std::string::npos);
  EXPECT_NE(call(R"(echo '{"error": "sorry"}')").find("says: sorry"), std::string::npos);
  EXPECT_NE(call("echo nonsense").find("no JSON"), std::string::npos);
  EXPECT_NE(call("kill -ABRT $$").find("signal 6"), std::string::npos);
  EXPECT_NE(call("sleep 30").find("no answer in time"), std::string::npos);
}

TEST(ProcessSubject, DistinguishesWhatItLacksFromWhatFails) {
  EXPECT_NE(call(R"(echo '{"not_applicable": "this"}')").find("not applicable: "),
            std::string::npos);
  EXPECT_NE(call("exit", {1, 2, 1, 1}).find("no batches or heads"), std::string::npos);
}

TEST(Protocol, KeepsEveryAttribute) {
  const std::array<std::int64_t, 2> lengths{3, 0};
  const std::array<std::int64_t, 3> labels{2, 0, 1};
  const std::array<std::uint64_t, 2> words{~std::uint64_t{0}, 1};
  const Attributes sent{.scheme = "none",
                        .initialiser = "gpt2",
                        .heads = 2,
                        .layer = 3,
                        .d_model = 4,
                        .causal = true,
                        .key_lengths = lengths,
                        .labels = labels,
                        .epsilon = 0.1,
                        .slope = 0.2,
                        .gain = 0.3,
                        .fan_in = 5,
                        .fan_out = 6,
                        .d_k = 7,
                        .branches = 8,
                        .seed = ~std::uint64_t{0},
                        .activation = "gelu",
                        .recipe = "glorot",
                        .role = "head",
                        .vocabulary = 9,
                        .shards = 10,
                        .shard = 11,
                        .words = words};
  const std::string text = protocol::to_json(sent).dump();
  const auto received = protocol::attributes_from(nlohmann::json::parse(text));
  // Doubles are printed with as many digits as give back their bits.
  EXPECT_EQ(protocol::to_json(received.view()).dump(), text);
  EXPECT_EQ(received.view().words.front(), words.front());
  EXPECT_EQ(received.view().labels.front(), 2);
  EXPECT_EQ(received.view().epsilon, sent.epsilon);
}

}  // namespace
}  // namespace rootdk
