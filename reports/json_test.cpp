#include <rootdk/reports/json.hpp>
#include <rootdk/reports/output.hpp>
#include <rootdk/reports/sample_test.ipp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#endif

#include <cmath>

namespace rootdk::reports {
namespace {

using Json = nlohmann::json;

#if __has_include(<valijson/validator.hpp>)
constexpr bool kCanValidate = true;
/// What is wrong with the text by the shipped schema; empty if nothing is.
std::string violations(const std::string& text) {
  using valijson::adapters::NlohmannJsonAdapter;
  const Json document = Json::parse(read_file(ROOTDK_SOURCE_DIR "/reports/result.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(document), schema);
  const Json json = Json::parse(text);
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(schema, NlohmannJsonAdapter(json), &results)) return {};
  std::string out;
  for (const auto& error : results) {
    for (const auto& part : error.context) out += part;
    out += ": " + error.description + "\n";
  }
  return out;
}
#else
constexpr bool kCanValidate = false;
std::string violations(const std::string&) { return "valijson is not installed"; }
#endif

TEST(Json, ReadsBackWhatItWrote) {
  const std::string text = to_json(sample_result());
  EXPECT_EQ(to_json(from_json(text)), text);
}

TEST(Json, ReadsBackHostileTextAndWhatIsNotFinite) {
  const std::string text = to_json(hostile_result());
  const Result result = from_json(text);
  EXPECT_EQ(to_json(result), text);
  EXPECT_TRUE(std::isnan(result.run.wall_s));
  EXPECT_EQ(result.ledger.beta, std::numeric_limits<double>::infinity());
}

TEST(Json, FollowsTheShippedSchema) {
  if (!kCanValidate) GTEST_SKIP() << "valijson is not installed";
  EXPECT_EQ(violations(to_json(sample_result())), "");
  EXPECT_EQ(violations(to_json(hostile_result())), "");
  EXPECT_EQ(violations(to_json(Result{})), "");
}

TEST(Json, SchemaRefusesWhatIsNotAResult) {
  if (!kCanValidate) GTEST_SKIP() << "valijson is not installed";
  for (const char* path :
       {"/run", "/claims/0/id", "/claims/0/configurations/0/p", "/ledger/beta"}) {
    Json json = Json::parse(to_json(sample_result()));
    const Json::json_pointer at(path);
    json.at(at.parent_pointer()).erase(at.back());
    EXPECT_NE(violations(json.dump()), "") << path;
  }
  for (const auto& [path, value] :
       {std::pair{"/claims/0/verdict", Json("MAYBE")}, std::pair{"/run/seed", Json(-1)},
        std::pair{"/claims/0/configurations/0/p", Json(2)},
        std::pair{"/ledger/beta", Json("big")}}) {
    Json json = Json::parse(to_json(sample_result()));
    json.at(Json::json_pointer(path)) = value;
    EXPECT_NE(violations(json.dump()), "") << path;
  }
}

TEST(Json, NamesWhatIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      from_json(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("").find("result: "), std::string::npos);
  EXPECT_NE(message("[1, 2]").find("expected 'rootdk/result/1'"), std::string::npos);
  EXPECT_NE(message(R"({"schema": "rootdk/result/0"})").find("'rootdk/result/0'"),
            std::string::npos);
  Json json = Json::parse(to_json(sample_result()));
  json["claims"][0].erase("latex");
  EXPECT_NE(message(json.dump()).find("'latex' is missing"), std::string::npos);
  json = Json::parse(to_json(sample_result()));
  json["claims"][0]["verdict"] = "PERHAPS";
  EXPECT_NE(message(json.dump()).find("'PERHAPS'"), std::string::npos);
  json = Json::parse(to_json(sample_result()));
  json["claims"][0]["pooled"][0]["p"] = "many";
  EXPECT_NE(message(json.dump()).find("'many'"), std::string::npos);
  json = Json::parse(to_json(sample_result()));
  json["claims"].push_back(1);
  EXPECT_NE(message(json.dump()).find("'claims' is no list of objects"), std::string::npos);
  json = Json::parse(to_json(sample_result()));
  json["claims"][0]["configurations"].push_back("d_k=3");
  EXPECT_NE(message(json.dump()).find("'configurations' is no list"), std::string::npos);
  json = Json::parse(to_json(sample_result()));
  json["claims"][0]["configurations"][0].erase("law");
  EXPECT_NE(message(json.dump()).find("'law' is missing"), std::string::npos);
}

}  // namespace
}  // namespace rootdk::reports
