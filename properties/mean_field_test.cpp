#include <rootdk/properties/mean_field.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rootdk {
namespace {

// A hundred terms, each rounded twice, of a sum near 1.
constexpr double kRounding = 1e-13;

TEST(TrapezoidalExpectation, GivesTheMomentsOfANormalLaw) {
  EXPECT_NEAR(trapezoidal_expectation([](double) { return 1.0; }), 1, kRounding);
  EXPECT_NEAR(trapezoidal_expectation([](double z) { return z * z * z * z; }), 3, 3 * kRounding);
}

TEST(ActivationSquare, AgreesWithTheTrapezoidalRule) {
  for (const char* f : {"tanh", "sigmoid", "silu", "gelu"}) {
    const double sum = trapezoidal_expectation([&](double z) {
      const double y = textbook_activation(f, z);
      return y * y;
    });
    EXPECT_NEAR(activation_square(f, 1).mean, sum, kRounding) << f;
  }
}

TEST(TextbookSlope, IsTheDerivative) {
  // A central difference of step h errs by h²/6 of the third derivative, below 3 for all of these,
  // and by u/h of rounding.
  constexpr double step = 1e-5;
  constexpr double bound = 1e-9;
  for (const char* f :
       {"identity", "relu", "leaky_relu", "tanh", "sigmoid", "silu", "gelu", "selu"}) {
    for (const double z : {-2.1, -0.7, 0.3, 1.9}) {
      const double difference =
          (textbook_activation(f, z + step, 0.1) - textbook_activation(f, z - step, 0.1)) /
          (2 * step);
      EXPECT_NEAR(textbook_slope(f, z, 0.1), difference, bound) << f << " at " << z;
    }
  }
}

}  // namespace
}  // namespace rootdk
