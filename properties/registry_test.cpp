#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/properties/claim.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace rootdk {
namespace {

namespace fs = std::filesystem;

/// Ids of all files below a folder of the source tree, as paths with dots.
std::set<std::string> ids_of_files(const std::string& folder) {
  std::set<std::string> ids;
  const fs::path root = fs::path(ROOTDK_SOURCE_DIR) / "properties" / folder;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp") continue;
    std::string id = fs::relative(entry.path(), root).replace_extension().generic_string();
    std::ranges::replace(id, '/', '.');
    ids.insert(id);
  }
  return ids;
}

TEST(Registry, HasAClaimForEveryFileAndNoOther) {
  const std::set<std::string> files = ids_of_files("claims");
  std::set<std::string> seen;
  for (const Claim& claim : all_claims()) {
    const std::string base = claim.member.empty()
                                 ? claim.id
                                 : claim.id.substr(0, claim.id.size() - claim.member.size() - 1);
    EXPECT_TRUE(files.contains(base)) << claim.id;
    seen.insert(base);
  }
  EXPECT_EQ(seen, files);
}

TEST(Registry, HasADefectForEveryFileAndNoOther) {
  std::set<std::string> seen;
  for (const Defect& defect : all_defects()) seen.insert(defect.id);
  EXPECT_EQ(seen, ids_of_files("defects"));
}

TEST(Registry, HasDistinctIds) {
  std::set<std::string> seen;
  for (const Claim& claim : all_claims()) EXPECT_TRUE(seen.insert(claim.id).second) << claim.id;
}

/// Text that is there, and more than what a template leaves.
bool stated(const std::string& text) {
  return !text.empty() && text.find("ot yet stated") == std::string::npos;
}

TEST(Claims, AreCompletelyStated) {
  for (const Claim& claim : all_claims()) {
    EXPECT_TRUE(stated(claim.statement)) << claim.id;
    EXPECT_TRUE(stated(claim.latex)) << claim.id;
    EXPECT_TRUE(stated(claim.source)) << claim.id;
    EXPECT_TRUE(stated(claim.method)) << claim.id;
    EXPECT_TRUE(stated(claim.derivation)) << claim.id;
    EXPECT_FALSE(claim.domain.axes().empty()) << claim.id;
    EXPECT_FALSE(claim.checks.empty()) << claim.id;
    EXPECT_TRUE(claim.sample) << claim.id;
    EXPECT_FALSE(claim.defects.empty()) << claim.id << " names no defect that it refutes";
    if (!claim.erratum) continue;
    EXPECT_FALSE(claim.erratum->says.empty()) << claim.id;
    EXPECT_FALSE(claim.erratum->holds.empty()) << claim.id;
  }
}

TEST(SchemeRegistry, IsCompletelyStated) {
  for (const SchemeFacts& facts : all_schemes()) {
    std::vector<double> parameters;
    for (const SchemeParameter& p : facts.parameters) parameters.push_back(p.initial);
    EXPECT_FALSE(facts.formula.empty()) << facts.name;
    EXPECT_GT(facts.variance({.d_k = 16, .d_model = 64, .layer = 1, .keys = 8}, parameters), 0)
        << facts.name;
  }
}

TEST(NamedSubjects, SayWhatTheyAre) {
  for (const NamedSubject& subject : added_subjects()) {
    EXPECT_TRUE(stated(subject.statement)) << subject.name;
  }
}

TEST(Claims, NameDefectsThatExist) {
  for (const Claim& claim : all_claims()) {
    for (const std::string& id : claim.defects)
      EXPECT_NO_THROW(defect(id)) << claim.id << ' ' << id;
  }
}

TEST(Defects, AreCompletelyStatedAndNameClaimsThatExist) {
  for (const Defect& defect : all_defects()) {
    EXPECT_TRUE(stated(defect.statement)) << defect.id;
    EXPECT_TRUE(stated(defect.fact)) << defect.id;
    EXPECT_TRUE(defect.plant) << defect.id;
    EXPECT_EQ(defect.refuted_by.empty(), defect.equivalent) << defect.id;
    for (const std::string& id : defect.refuted_by) {
      EXPECT_TRUE(std::ranges::any_of(all_claims(),
                                      [&](const Claim& claim) { return names(id, claim.id); }))
          << defect.id << " names " << id;
    }
  }
}

}  // namespace
}  // namespace rootdk
