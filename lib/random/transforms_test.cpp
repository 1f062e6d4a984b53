#include <rootdk/lib/random/draws.hpp>
#include <rootdk/lib/random/transforms.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr std::uint64_t kLast = ~std::uint64_t{0};

TEST(UniformFromWord, IsWhatDrawsUse) {
  for (const std::uint64_t word : {std::uint64_t{0}, kLast, std::uint64_t{0x9e3779b97f4a7c15}}) {
    EXPECT_EQ(uniform_from_word(word, 53), symmetric_uniform<double>(word));
    EXPECT_EQ(uniform_from_word(word, 24), static_cast<double>(symmetric_uniform<float>(word)));
  }
}

TEST(UniformFromWord, StaysInsideForTheExtremeWords) {
  for (const int digits : {2, 8, 11, 24, 53}) {
    EXPECT_EQ(uniform_from_word(kLast, digits), 1 - std::ldexp(1.0, 1 - digits));
    EXPECT_EQ(uniform_from_word(0, digits), -uniform_from_word(kLast, digits));
  }
}

TEST(NormalFromWord, IsFiniteAndOddForTheExtremeWords) {
  for (const int digits : {8, 11, 24, 53}) {
    EXPECT_TRUE(std::isfinite(normal_from_word(0, digits)));
    EXPECT_EQ(normal_from_word(0, digits), -normal_from_word(kLast, digits));
    EXPECT_LT(std::abs(truncated_normal_from_word(0, digits, 2)), 2);
  }
}

TEST(Transforms, RejectWhatTheyCannotPromise) {
  EXPECT_THROW(uniform_from_word(0, 1), std::invalid_argument);
  EXPECT_THROW(uniform_from_word(0, 54), std::invalid_argument);
  EXPECT_THROW(truncated_normal_from_word(0, 53, 0), std::invalid_argument);
  EXPECT_THROW(truncated_normal_from_word(0, 53, 9), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
