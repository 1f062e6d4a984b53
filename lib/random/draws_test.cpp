#include <rootdk/lib/random/draws.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rootdk {
namespace {

template <class T>
class Draws : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Draws, Scalars);

TYPED_TEST(Draws, SymmetricUniformIsInsideOneAtTheExtremeWords) {
  using T = TypeParam;
  const T low = symmetric_uniform<T>(0);
  const T high = symmetric_uniform<T>(std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(low, -1);
  EXPECT_LT(high, 1);
  EXPECT_EQ(low, -high);
  EXPECT_EQ(high, 1 - 2 * std::numeric_limits<T>::epsilon() / 2);
  EXPECT_NE(symmetric_uniform<T>(std::uint64_t{1} << 63), 0);
}

TYPED_TEST(Draws, UniformCannotRoundToItsBound) {
  using T = TypeParam;
  for (const double half_width : {1.0, 0.1, 0.7, 1.0 / 3, 1e-30, 3e10}) {
    const T bound = static_cast<T>(half_width);
    const T top = bound * symmetric_uniform<T>(std::numeric_limits<std::uint64_t>::max());
    EXPECT_LT(top, bound) << half_width;
  }
}

TYPED_TEST(Draws, TruncatedNormalStaysInsideItsCut) {
  using T = TypeParam;
  std::vector<T> values(100000);
  Stream stream(3);
  fill_truncated_normal<T>(stream, values, 0.5);
  const T bound = static_cast<T>(kTruncation * 0.5);
  EXPECT_TRUE(std::ranges::all_of(values, [&](T v) { return std::abs(v) < bound; }));
}

TYPED_TEST(Draws, AreAFunctionOfTheStream) {
  using T = TypeParam;
  std::vector<T> first(1000);
  std::vector<T> second(1000);
  Stream a(11);
  Stream b(11);
  fill_normal<T>(a, first, 0, 2);
  fill_normal<T>(b, second, 0, 1);
  // The same stream, twice the standard deviation: exactly twice the values.
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i], 2 * second[i]);
}

}  // namespace
}  // namespace rootdk
