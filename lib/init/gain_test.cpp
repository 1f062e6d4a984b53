#include <rootdk/lib/init/gain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rootdk {
namespace {

TEST(ActivationGain, HasTheClosedFormsOfThePiecewiseLinear) {
  EXPECT_DOUBLE_EQ(activation_gain(Activation::identity), 1);
  EXPECT_DOUBLE_EQ(activation_gain(Activation::relu), std::numbers::sqrt2);
  EXPECT_DOUBLE_EQ(activation_gain(Activation::leaky_relu, 0), std::numbers::sqrt2);
  EXPECT_DOUBLE_EQ(activation_gain(Activation::leaky_relu, 1), 1);
}

TEST(ActivationGain, IsStatedForEveryActivation) {
  for (const NamedActivation& f : activations()) {
    EXPECT_GE(activation_gain(f.kind, 0.25), 1) << f.name;  // none of them amplifies N(0, 1)
  }
}

}  // namespace
}  // namespace rootdk
