#include <rootdk/lib/ops/activation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace rootdk {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSlope = 0.25;

double value(std::string_view name, double x, double slope = kSlope) {
  return activate<double>(activation_named(name), x, slope);
}
double slope(std::string_view name, double x) {
  return activation_slope<double>(activation_named(name), x, kSlope);
}

TEST(Activation, IsFoundByName) {
  for (const NamedActivation& f : activations()) EXPECT_EQ(activation_named(f.name), f.kind);
}

TEST(Activation, NamesWhatItDoesNotKnow) {
  try {
    activation_named("swoosh");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("swoosh"), std::string::npos);
  }
}

TEST(Activation, HasItsLimitsAtInfinity) {
  for (const char* name : {"identity", "relu", "leaky_relu", "silu", "gelu", "selu"}) {
    EXPECT_EQ(value(name, kInfinity), kInfinity) << name;
  }
  for (const char* name : {"relu", "silu", "gelu", "sigmoid"}) {
    EXPECT_EQ(value(name, -kInfinity), 0) << name;
    EXPECT_EQ(slope(name, -kInfinity), 0) << name;
  }
  EXPECT_EQ(value("tanh", -kInfinity), -1);
  EXPECT_EQ(value("leaky_relu", -kInfinity), -kInfinity);
  for (const char* name : {"relu", "silu", "gelu"}) EXPECT_EQ(slope(name, kInfinity), 1) << name;
  for (const char* name : {"tanh", "sigmoid"}) EXPECT_EQ(slope(name, kInfinity), 0) << name;
}

TEST(Activation, OfASlopeOfZeroIsZeroAtMinusInfinity) {
  EXPECT_EQ(value("leaky_relu", -kInfinity, 0), 0);
}

TEST(Activation, KeepsANan) {
  for (const NamedActivation& f : activations()) {
    EXPECT_TRUE(std::isnan(value(f.name, std::nan("")))) << f.name;
  }
}

TEST(Activation, HasTheDocumentedSlopesAtZero) {
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(value("relu", zero), 0);
    EXPECT_EQ(slope("relu", zero), 0);
    EXPECT_EQ(slope("leaky_relu", zero), kSlope);
    EXPECT_EQ(slope("silu", zero), 0.5);
    EXPECT_EQ(slope("gelu", zero), 0.5);
    EXPECT_EQ(slope("tanh", zero), 1);
    EXPECT_EQ(slope("sigmoid", zero), 0.25);
  }
}

TEST(Activation, KeepsTheLeftTailOfTheSigmoid) {
  // At −100 the value is e^−100 to less than a roundoff: an exponential, a sum, a quotient.
  constexpr double bound = 4 * 0x1p-53;
  EXPECT_NEAR(value("sigmoid", -100) / std::exp(-100.0), 1, bound);
}

TEST(Activation, OfWholeMatricesGoesEntryByEntry) {
  Matrix<double> x(2, 2);
  x << -2, 1, 0, 3;
  Matrix<double> y(2, 2);
  activation<double>(Activation::leaky_relu, kSlope, x, y);
  Matrix<double> expected(2, 2);
  expected << -0.5, 1, 0, 3;
  EXPECT_EQ(y, expected);
  Matrix<double> dx(2, 2);
  Matrix<double> dy(2, 2);
  dy << 4, 4, 4, -4;
  activation_backward<double>(Activation::leaky_relu, kSlope, x, dy, dx);
  expected << 1, 4, 1, -4;
  EXPECT_EQ(dx, expected);
}

}  // namespace
}  // namespace rootdk
