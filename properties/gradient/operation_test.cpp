#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/operation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rootdk {
namespace {

TEST(Operations, CoverEveryBackwardPassOfTheLibrary) {
  std::set<std::string> covered;
  for (const Operation& operation : operations()) covered.insert(operation.op);
  const Subject subject = library();
  for (const auto& [key, kernel] : subject.kernels()) {
    if (key.pass == Pass::forward) continue;
    EXPECT_TRUE(covered.contains(key.op)) << key.op;
  }
}

TEST(Operations, HaveAClaimEach) {
  for (const Operation& operation : operations())
    EXPECT_NO_THROW(claim("gradient." + operation.name));
  for (const SchemeFacts& facts : all_schemes()) {
    EXPECT_NO_THROW(claim("scaling.gradient." + std::string(facts.name)));
  }
}

TEST(BackwardDefects, NameClaimsThatExist) {
  std::size_t count = 0;
  for (const Defect& defect : all_defects()) {
    if (!defect.id.starts_with("backward.")) continue;
    ++count;
    for (const std::string& id : defect.refuted_by) EXPECT_NO_THROW(claim(id)) << defect.id;
  }
  EXPECT_GE(count, 25U);
}

TEST(BackwardDefects, ActOnFiftyDigits) {
  const Subject right = library();
  const Subject wrong = defect("backward.factor").plant(right);
  for (const Dtype dtype : {Dtype::f64, Dtype::r50, Dtype::d50}) {
    EXPECT_TRUE(wrong.has({"linear", Pass::backward, dtype})) << name(dtype);
  }
}

}  // namespace
}  // namespace rootdk
