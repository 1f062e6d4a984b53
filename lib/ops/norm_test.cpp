#include <rootdk/lib/ops/norm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rootdk {
namespace {

constexpr double kRoundoff = 0x1p-53;

Matrix<double> row(std::initializer_list<double> values) {
  Matrix<double> result(1, static_cast<Eigen::Index>(values.size()));
  Eigen::Index j = 0;
  for (const double v : values) result(0, j++) = v;
  return result;
}

Matrix<double> rms(const Matrix<double>& x, const Vector<double>& gamma, double epsilon) {
  Matrix<double> y(x.rows(), x.cols());
  rms_norm<double>(x, gamma, epsilon, y);
  return y;
}

Matrix<double> layer(const Matrix<double>& x, const Vector<double>& gamma,
                     const Vector<double>& beta, double epsilon) {
  Matrix<double> y(x.rows(), x.cols());
  layer_norm<double>(x, gamma, beta, epsilon, y);
  return y;
}

const Vector<double> kNone(0);

TEST(RmsNorm, DividesByTheRootMeanSquareWithEpsilonInside) {
  // Mean square 4, ε = 12: the root is 4.
  const Matrix<double> y = rms(row({2, -2, 2, -2}), kNone, 12);
  EXPECT_EQ(y, row({0.5, -0.5, 0.5, -0.5}));
}

TEST(RmsNorm, MultipliesByTheGain) {
  const Vector<double> gamma{{3, -1}};
  EXPECT_EQ(rms(row({4, 4}), gamma, 0), row({3, -1}));
}

TEST(RmsNorm, DoesNotSubtractTheMean) { EXPECT_EQ(rms(row({5, 5, 5}), kNone, 0)(0, 1), 1); }

TEST(RmsNorm, GivesZerosForAZeroRow) {
  EXPECT_EQ(rms(row({0, 0, 0}), kNone, 0), row({0, 0, 0}));
  EXPECT_EQ(rms(row({0, 0, 0}), kNone, 1e-6), row({0, 0, 0}));
}

TEST(RmsNorm, KeepsANan) {
  const Matrix<double> y = rms(row({std::nan(""), 1}), kNone, 0);
  EXPECT_TRUE(std::isnan(y(0, 0)));
}

TEST(RmsNormBackward, OfAZeroRowIsZeroWithoutEpsilonAndDividedByItsRootWith) {
  const Matrix<double> x = row({0, 0});
  const Vector<double> gamma{{2, 3}};
  Matrix<double> dx(1, 2);
  Vector<double> dgamma(2);
  rms_norm_backward<double>(x, gamma, 0, row({1, -1}), dx, dgamma);
  EXPECT_EQ(dx, row({0, 0}));
  EXPECT_TRUE((dgamma.array() == 0).all());
  rms_norm_backward<double>(x, gamma, 0.25, row({1, -1}), dx, dgamma);
  EXPECT_EQ(dx, row({4, -6}));
  EXPECT_TRUE((dgamma.array() == 0).all());
}

TEST(RmsNormBackward, IsOrthogonalToTheInputWithoutEpsilon) {
  const Matrix<double> x = row({1, 2, -3, 0.5});
  const Vector<double> gamma{{0.5, -1.5, 2, 1.25}};
  const Matrix<double> dy = row({1, -2, 0.25, 3});
  Matrix<double> dx(1, 4);
  Vector<double> dgamma(4);
  rms_norm_backward<double>(x, gamma, 0, dy, dx, dgamma);
  // Terms of ⟨dx, x⟩ carry the roundings of norm.gradient, 2.5 d + 25, against r (|g| + |x̂| mean|g x̂|)
  // < 2 · 4 · 2 here.
  constexpr double bound = (2.5 * 4 + 25) * kRoundoff * 16 * 6.5;
  EXPECT_LT(std::abs((dx.array() * x.array()).sum()), bound);
  EXPECT_GT(dx.norm(), 0.5);
}

TEST(RmsNormBackward, AddsTheWeightGradientOverRows) {
  Matrix<double> x(2, 1);
  x << 2, -3;
  Matrix<double> dy(2, 1);
  dy << 5, 7;
  Matrix<double> dx(2, 1);
  Vector<double> dgamma(1);
  rms_norm_backward<double>(x, Vector<double>{{4}}, 0, dy, dx, dgamma);
  EXPECT_EQ(dgamma[0], 5 - 7);
}

TEST(LayerNorm, TakesThePopulationVariance) {
  // Mean 2, deviations ±1: variance 1 with d below, 4/3 with d − 1.
  EXPECT_EQ(layer(row({1, 3, 1, 3}), kNone, kNone, 0), row({-1, 1, -1, 1}));
}

TEST(LayerNorm, IsRightForRowsFarFromZero) {
  Matrix<float> x(1, 4);
  x << 40000, 40001, 40002, 40003;
  Matrix<float> y(1, 4);
  layer_norm<float>(x, Vector<float>(0), Vector<float>(0), 0, y);
  // Deviations ±1.5, ±0.5 are exact; the rest is the root of 1.25 and one product.
  constexpr float bound = 4 * 0x1p-24F;
  EXPECT_NEAR(y(0, 3), 1.5F / std::sqrt(1.25F), 1.5F * bound);
}

TEST(LayerNorm, GivesTheShiftForConstantRowsAndWidthOne) {
  const Vector<double> gamma{{2, 3, 4}};
  const Vector<double> beta{{0.5, -1, 7}};
  // 0.1 is no binary fraction: three of it do not add up to 0.3.
  EXPECT_EQ(layer(row({0.1, 0.1, 0.1}), gamma, beta, 0), row({0.5, -1, 7}));
  EXPECT_EQ(layer(row({123.456}), Vector<double>{{2}}, Vector<double>{{3}}, 0), row({3}));
}

TEST(LayerNormBackward, OfWidthOneIsExactlyZeroButForTheShift) {
  Matrix<double> dx(1, 1);
  Vector<double> dgamma(1);
  Vector<double> dbeta(1);
  for (const double epsilon : {0.0, 1e-6}) {
    layer_norm_backward<double>(row({0.3}), Vector<double>{{2}}, epsilon, row({5}), dx, dgamma,
                                dbeta);
    EXPECT_EQ(dx(0, 0), 0);
    EXPECT_EQ(dgamma[0], 0);
    EXPECT_EQ(dbeta[0], 5);
  }
}

TEST(LayerNormBackward, OfAConstantRowIsTheCentredCotangentOverTheRootOfEpsilon) {
  Matrix<double> dx(1, 2);
  Vector<double> dgamma(2);
  Vector<double> dbeta(2);
  layer_norm_backward<double>(row({7, 7}), kNone, 0.25, row({1, 3}), dx, dgamma, dbeta);
  EXPECT_EQ(dx, row({-2, 2}));
  EXPECT_TRUE((dgamma.array() == 0).all());
  layer_norm_backward<double>(row({7, 7}), kNone, 0, row({1, 3}), dx, dgamma, dbeta);
  EXPECT_EQ(dx, row({0, 0}));
}

TEST(LayerNormBackward, LeavesOutParameterGradientsThatAreNotAskedFor) {
  Matrix<double> dx(1, 2);
  Vector<double> none(0);
  layer_norm_backward<double>(row({1, 3}), kNone, 0, row({1, 1}), dx, none, none);
  EXPECT_EQ(dx, row({0, 0}));
}

}  // namespace
}  // namespace rootdk
