#include <rootdk/properties/training.hpp>

#include <gtest/gtest.h>

#include <array>

namespace rootdk {
namespace {

constexpr std::array<std::int64_t, 2> kSteps{2, 5};

std::vector<Trained> trained_by(const Subject& subject, std::uint64_t number = 0,
                                Dtype dtype = Dtype::f32) {
  Configuration configuration;
  Workspace workspace;
  std::vector<CheckEvidence> evidence;
  Block block(configuration, subject, {.seed = 1, .block = number}, dtype, {}, workspace, evidence);
  std::array heads{head("sqrt_dk", "sgd", 0.5), head_with_scale("adam", 0.01, 1, 0.1)};
  for (Training& each : heads) each.setup.d_k = 16;
  heads[1].setup.alpha = 0.25;
  return train(block, heads, kSteps);
}

TEST(Train, IsAPureFunctionOfTheAddress) {
  const Subject subject = library();
  EXPECT_EQ(trained_by(subject)[0].w_q, trained_by(subject)[0].w_q);
  EXPECT_NE(trained_by(subject)[0].w_q, trained_by(subject, 1)[0].w_q);
}

TEST(Train, MeasuresAtEachMilestoneAndKeepsTheScaleOfEachStep) {
  const auto trained = trained_by(library());
  for (const Trained& each : trained) {
    EXPECT_EQ(each.at.size(), kSteps.size());
    EXPECT_EQ(each.alpha.size(), static_cast<std::size_t>(kSteps.back()));
    EXPECT_NE(each.at[0].loss, each.at[1].loss);
  }
  EXPECT_EQ(trained[0].alpha.back(), 1);
  EXPECT_NE(trained[1].alpha.front(), trained[1].alpha.back());
}

TEST(Train, HeadsOfABlockStartAlike) {
  // One stream of weights: what the scheme and the optimiser are does not show yet.
  const auto trained = trained_by(library(), 0, Dtype::f64);
  EXPECT_EQ(trained[0].before.var_q, trained[1].before.var_q);
  EXPECT_EQ(trained[0].before.var_k, trained[1].before.var_k);
}

TEST(Train, RunsThroughEveryOperationOfTheSubject) {
  const Subject subject = library();
  const auto right = trained_by(subject);
  for (const Need& need : training_needs()) {
    const Subject faulty =
        subject.with("faulty", need.op, need.pass, [](const Kernel& kernel) -> Kernel {
          return [kernel](const Attributes& a, std::span<const Tensor> in,
                          std::span<const Tensor> out) {
            kernel(a, in, out);
            multiply(out[0], 0.5);
          };
        });
    EXPECT_NE(trained_by(faulty)[0].w_q, right[0].w_q) << need.op;
  }
}

TEST(Train, RejectsADtypeInWhichItCannotCount) {
  EXPECT_THROW(trained_by(library(), 0, Dtype::f16), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
