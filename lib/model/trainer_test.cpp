#include <rootdk/lib/model/trainer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rootdk {
namespace {

using M = Matrix<double>;

constexpr double kU = std::numeric_limits<double>::epsilon() / 2;

/// S = α QKᵀ of one sequence and softmax in their textbook forms, apart from the library.
HeadOperations<double> textbook() {
  HeadOperations<double> operations;
  operations.scores = [](M& q, M& k, std::span<double> alpha, M& s) {
    s = (alpha.empty() ? 1.0 : alpha[0]) * q * k.transpose();
  };
  operations.scores_backward = [](M& q, M& k, std::span<double> alpha, M& ds, M& dq, M& dk,
                                  std::span<double> dalpha) {
    const double factor = alpha.empty() ? 1.0 : alpha[0];
    dq = factor * ds * k;
    dk = factor * ds.transpose() * q;
    if (!dalpha.empty()) dalpha[0] = (ds.array() * (q * k.transpose()).array()).sum();
  };
  operations.softmax = [](M& z, M& p) {
    p = z.array().exp();
    p.array().colwise() /= p.rowwise().sum().array().eval();
  };
  operations.softmax_backward = [](M& z, M& dp, M& dz) {
    M p = z.array().exp();
    p.array().colwise() /= p.rowwise().sum().array().eval();
    const Eigen::ArrayXd mean = (p.array() * dp.array()).rowwise().sum();
    dz = p.array() * (dp.array().colwise() - mean);
  };
  return operations;
}

constexpr RetrievalTask kTask{.n_in = 6, .keys = 5, .queries = 4, .sequences = 1, .d_v = 3};

RetrievalBatch<double> batch_of(const RetrievalTask& task, std::int64_t sequences = 0) {
  Stream rotation(1);
  Stream examples(2);
  return Retrieval<double>(task, rotation).draw(examples, sequences);
}

Head<double> head_of(HeadSetup setup) {
  Stream weights(3);
  return {setup, kTask.n_in, weights, textbook()};
}

TEST(Retrieval, RowsHaveUnitRootMeanSquareAndAnswersLieInTheirSequence) {
  const RetrievalTask task{.sequences = 3};
  const auto batch = batch_of(task);
  EXPECT_EQ(batch.x_q.rows(), 3 * task.queries);
  EXPECT_EQ(batch.x_k.rows(), 3 * task.keys);
  // A norm of n squares errs by at most (n + 2) u relative, a root and a quotient by 2 more.
  const double tolerance = static_cast<double>(task.n_in + 4) * kU;
  for (const M* x : {&batch.x_q, &batch.x_k}) {
    for (Eigen::Index i = 0; i < x->rows(); ++i) {
      EXPECT_NEAR(x->row(i).squaredNorm() / static_cast<double>(task.n_in), 1, 4 * tolerance);
    }
  }
  for (Eigen::Index i = 0; i < batch.x_q.rows(); ++i) {
    EXPECT_EQ(batch.answers[static_cast<std::size_t>(i)] / task.keys, i / task.queries);
  }
  EXPECT_TRUE((batch.v.array().abs() == 1).all());
}

TEST(Retrieval, QueryWithoutNoiseIsTheRotatedKey) {
  const RetrievalTask task{.noise = 0};
  const auto batch = batch_of(task);
  const M asked = batch.x_k(batch.answers, Eigen::all);
  // A rotation keeps products: x_i R (x_j R)ᵀ = x_i x_jᵀ, up to its own orthogonality and two
  // products of n terms of size 1.
  const auto n = static_cast<double>(task.n_in);
  const M difference = batch.x_q * batch.x_q.transpose() - asked * asked.transpose();
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), 16 * n * n * kU);
}

/// The fall of the loss in one step of plain SGD over what its gradient promises, ‖Δw‖²/η:
/// 1 − ½η gᵀHg/‖g‖² + O(η²) if the step is η times the gradient of the measured loss.
double fall_ratio(Update HeadSetup::*moving, double rate) {
  HeadSetup setup{.d_k = 4, .has_scale = true, .alpha = 0.7};
  for (Update HeadSetup::*each : {&HeadSetup::query, &HeadSetup::key, &HeadSetup::scale}) {
    const bool moves = moving == nullptr || moving == each;
    setup.*each = {.optimiser = Optimiser::sgd, .rate = moves ? rate : 0};
  }
  const auto batch = batch_of(kTask);
  Head<double> head = head_of(setup);
  const Head<double> start = head_of(setup);
  const double before = head.measure(batch).loss;
  head.step(batch);
  const double moved = (head.query_weights() - start.query_weights()).squaredNorm() +
                       (head.key_weights() - start.key_weights()).squaredNorm() +
                       std::pow(std::log(head.alpha()) - std::log(start.alpha()), 2);
  return (before - head.measure(batch).loss) / (moved / rate);
}

class HeadStep : public testing::TestWithParam<Update HeadSetup::*> {};

TEST_P(HeadStep, FollowsTheGradientOfTheMeasuredLoss) {
  // Extrapolated from η and η/2 the linear term cancels; what is left is of its square, far below
  // the linear term itself, which is the bound.
  const double rate = 0x1p-8;
  const double whole = fall_ratio(GetParam(), rate);
  const double half = fall_ratio(GetParam(), rate / 2);
  EXPECT_NEAR(2 * half - whole, 1, std::abs(whole - half) / 4);
}

INSTANTIATE_TEST_SUITE_P(AllAndEach, HeadStep,
                         testing::Values(nullptr, &HeadSetup::query, &HeadSetup::key,
                                         &HeadSetup::scale));

TEST(Head, MeasuresUniformAttentionAsEntropyOne) {
  HeadSetup setup{.d_k = 4, .gain = 0};
  const auto batch = batch_of(kTask);
  const HeadMeasures measures = head_of(setup).measure(batch);
  EXPECT_EQ(measures.var_s, 0);
  // Sums of n m equal terms p ln p, and the logarithm of the rounded 1/m.
  EXPECT_NEAR(measures.entropy, 1, static_cast<double>(kTask.keys * kTask.queries + 8) * kU);
}

TEST(Updater, FirstStepOfAdamHasTheLengthOfTheRate) {
  // m̂ = g and v̂ = g² after one step: the step is η g/(|g| + ε).
  Updater<double> updater({.optimiser = Optimiser::adam, .rate = 0.25, .epsilon = 0}, 2);
  std::vector<double> w{0, 0};
  const std::vector<double> g{3e-5, -2e4};
  updater.step(w, g);
  EXPECT_NEAR(w[0], -0.25, 16 * 0.25 * kU);
  EXPECT_NEAR(w[1], 0.25, 16 * 0.25 * kU);
}

TEST(Updater, AdamFollowsItsDefinitionOverManySteps) {
  const Update update{.optimiser = Optimiser::adam, .rate = 0.125, .epsilon = 0.5};
  Updater<double> updater(update, 1);
  std::vector<double> w{1};
  double expected = 1;
  double m = 0;
  double v = 0;
  for (int t = 1; t <= 20; ++t) {
    const double g = t % 3 - 0.75;
    updater.step(w, std::vector{g});
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected -= update.rate * (m / (1 - std::pow(0.9, t))) /
                (std::sqrt(v / (1 - std::pow(0.999, t))) + update.epsilon);
    // 1 − βᵗ ≥ 1e-3 magnifies the rounding of βᵗ a thousandfold; t steps add up.
    EXPECT_NEAR(w[0], expected, 1e3 * 8 * t * kU);
  }
}

TEST(Updater, SgdIsTheGradientTimesTheRate) {
  Updater<double> updater({.optimiser = Optimiser::sgd, .rate = 0.5}, 2);
  std::vector<double> w{1, 2};
  updater.step(w, std::vector{4.0, -8.0});
  EXPECT_EQ(w, (std::vector{-1.0, 6.0}));
}

}  // namespace
}  // namespace rootdk
