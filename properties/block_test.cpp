#include <rootdk/properties/block.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace rootdk {
namespace {

class Errors : public testing::Test {
 protected:
  const CheckEvidence& seen() const { return evidence.front(); }

  Configuration configuration;
  Subject subject = library();
  Workspace workspace;
  std::array<std::string_view, 1> checks{"x"};
  std::vector<CheckEvidence> evidence{1};
  Block block{configuration, subject, {.seed = 1}, Dtype::f64, checks, workspace, evidence};
};

TEST_F(Errors, KeepThePlaceOfTheWorstRatio) {
  block.error("x", 1, 4, "first");
  block.error("x", 3, 4, "second");
  block.error("x", 5, 8, "third");
  EXPECT_EQ(seen().where, "second");
  EXPECT_EQ(seen().error_u, 3);
  EXPECT_EQ(seen().evidence.x, 0.75);
  EXPECT_EQ(seen().evidence.nu, 3);
}

TEST_F(Errors, KeepThePlaceOfTheFirstNan) {
  block.error("x", 1, 4, "before");
  block.close("x", std::nan(""), 1, 1, 4, "here");
  block.close("x", 2, 1, 1, 4, "after");
  block.error("x", std::numeric_limits<double>::infinity(), 4, "at last");
  EXPECT_TRUE(seen().where.starts_with("here: nan")) << seen().where;
  EXPECT_TRUE(std::isnan(seen().error_u));
  EXPECT_TRUE(std::isnan(seen().evidence.x));
}

}  // namespace
}  // namespace rootdk
