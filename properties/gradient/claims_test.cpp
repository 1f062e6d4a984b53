#include <rootdk/properties/gradient/claims.hpp>
#include <rootdk/properties/run.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>
#include <string>
#include <vector>

// A subject from outside has no kernels of 50 digits: what is left of the witnesses must see the
// faults that the library's are shown, and refuse no algorithm for not being the library's.

namespace rootdk {
namespace {

Subject without_wide(const Subject& subject) {
  Subject result("outside");
  for (const auto& [key, kernel] : subject.kernels()) {
    if (key.dtype != Dtype::r50 && key.dtype != Dtype::d50) result.set(key, kernel);
  }
  return result;
}

reports::ClaimRecord judged(const std::string& id, const Subject& subject) {
  static const std::atomic<bool> stop = false;
  RunSettings settings;
  settings.effort = &effort_named("quick");
  return run(
             {&claim(id)}, subject, settings, [](const Progress&) {}, stop)
      .claims.front();
}

/// The dtypes in which a check of the claim was refuted.
std::set<std::string> refuted_in(const reports::ClaimRecord& record) {
  std::set<std::string> dtypes;
  for (const reports::TestRecord& test : record.configurations) {
    if (test.verdict != stats::Verdict::refuted) continue;
    dtypes.insert(test.configuration.substr(6, test.configuration.find(',') - 6));
  }
  return dtypes;
}

std::vector<std::string> gradient_claims() {
  std::vector<std::string> ids;
  for (const Operation& operation : operations()) ids.push_back("gradient." + operation.name);
  return ids;
}

TEST(GradientClaims, HoldForTheLibraryWithoutFiftyDigits) {
  const Subject outside = without_wide(library());
  for (const std::string& id : gradient_claims()) {
    EXPECT_EQ(judged(id, outside).verdict, stats::Verdict::verified) << id;
  }
}

TEST(GradientClaims, SeeARelativeFaultInDoubleWithoutFiftyDigits) {
  for (const char* fault : {"backward.relative_1e_6", "backward.relative_1e_9"}) {
    const Subject outside = without_wide(defect(fault).plant(library()));
    for (const std::string& id : gradient_claims()) {
      EXPECT_TRUE(refuted_in(judged(id, outside)).contains("f64")) << id << ' ' << fault;
    }
  }
}

TEST(GradientClaims, SeeLostDigitsWithoutFiftyDigits) {
  const Subject outside = without_wide(defect("backward.softmax_textbook").plant(library()));
  const std::set<std::string> both{"f32", "f64"};
  EXPECT_EQ(refuted_in(judged("gradient.softmax", outside)), both);
}

/// dx = dy σ(x)(1 + x(1 − σ(x))): up to 20 its error of x roundings is no loss of digits.
TEST(GradientClaims, AllowAnotherFormula) {
  Subject outside = without_wide(library());
  outside.set({"silu", Pass::backward, Dtype::f64},
              [](const Attributes&, std::span<const Tensor> in, std::span<const Tensor> out) {
                for (std::int64_t i = 0; i < in[0].size(); ++i) {
                  const double x = static_cast<const double*>(in[0].data)[i];
                  const double dy = static_cast<const double*>(in[1].data)[i];
                  const double s = 1 / (1 + std::exp(-x));
                  static_cast<double*>(out[0].data)[i] = dy * (s * (1 + x * (1 - s)));
                }
              });
  EXPECT_EQ(judged("gradient.silu", outside).verdict, stats::Verdict::verified);
}

}  // namespace
}  // namespace rootdk
