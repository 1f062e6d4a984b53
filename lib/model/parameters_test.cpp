#include <rootdk/lib/model/parameters.hpp>

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace rootdk {
namespace {

constexpr ModelShape kShape{.layers = 3, .d_model = 12, .heads = 4, .vocabulary = 50};

TEST(ModelParameters, HaveDistinctNamesAndOneOfEachRoleALayer) {
  const auto all = model_parameters("gpt2", kShape);
  EXPECT_EQ(all.size(), 2 + 6 * 3U);
  std::set<std::string> names;
  for (const Parameter& p : all) names.insert(p.name);
  EXPECT_EQ(names.size(), all.size());
}

TEST(ModelParameters, HaveTheFansOfTheirOwnMatrix) {
  for (const char* recipe : {"gpt2", "glorot", "deepnorm"}) {
    for (const Parameter& p : model_parameters(recipe, kShape)) {
      EXPECT_EQ(p.settings.fan_in, static_cast<double>(p.rows)) << recipe << " " << p.name;
      EXPECT_EQ(p.settings.fan_out, static_cast<double>(p.cols)) << recipe << " " << p.name;
      EXPECT_NO_THROW(initialiser(p.initialiser)) << recipe << " " << p.name;
    }
  }
}

TEST(ModelParameters, OfGpt2DampExactlyWhatWritesIntoTheResidualStream) {
  for (const Parameter& p : model_parameters("gpt2", kShape)) {
    const bool residual = p.role == Role::attention_output || p.role == Role::mlp_out;
    EXPECT_EQ(p.initialiser, residual ? "gpt2_residual" : "gpt2") << p.name;
    EXPECT_EQ(p.settings.branches, 3);
  }
}

TEST(ModelParameter, RejectsWhatDoesNotExist) {
  EXPECT_THROW(model_parameter("gpt2", kShape, Role::query, 3), std::invalid_argument);
  EXPECT_THROW(model_parameter("gpt2", kShape, Role::head, 1), std::invalid_argument);
  EXPECT_THROW(model_parameter("mup", kShape, Role::query, 0), std::invalid_argument);
  EXPECT_THROW(role_named("bias"), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
