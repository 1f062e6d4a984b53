#include <rootdk/lib/random/stream.hpp>
#include <rootdk/lib/scalars/wide_sum.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace rootdk::detail {
namespace {

// Holds the products of these tests and their sums without rounding.
using Exact = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1500, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

/// The same number, by way of doubles whose sum it is: each takes 53 of the 168 bits.
Exact exact(Real50 x) {
  Exact sum = 0;
  for (int part = 0; part < 4; ++part) {
    const auto next = static_cast<double>(x);
    sum += next;
    x -= next;
  }
  return sum;
}

/// ±1.x of 168 random bits times 2^e, |e| ≤ spread.
Real50 random_number(Stream& stream, std::uint64_t spread) {
  Real50 x(1);
  for (int i = 0; i < 3; ++i) x += ldexp(Real50(stream()), -64 * (i + 1));
  const int e = static_cast<int>(stream() % (2 * spread + 1)) - static_cast<int>(spread);
  return ldexp(stream() % 2 == 0 ? x : Real50(-x), e);
}

std::vector<WideTerm> split_all(const std::vector<Real50>& values) {
  std::vector<WideTerm> terms(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_TRUE(split(values[k], terms[k]));
  return terms;
}

TEST(SumOfProducts, IsTheExactSumRoundedOnce) {
  Stream stream(1);
  for (const std::uint64_t spread : {0U, 3U, 60U, 190U}) {
    for (std::size_t count = 1; count < 70; count += 3) {
      std::vector<Real50> a(count);
      std::vector<Real50> b(count);
      Exact sum = 0;
      Exact size = 0;
      for (std::size_t k = 0; k < count; ++k) {
        a[k] = random_number(stream, spread);
        b[k] = random_number(stream, spread);
        sum += exact(a[k]) * exact(b[k]);
        size += abs(exact(a[k]) * exact(b[k]));
      }
      const Exact error = abs(exact(sum_of_products(split_all(a), split_all(b))) - sum);
      // Half a unit of 168 bits, and what is dropped of each product.
      const Exact dropped = ldexp(Exact(count), -350) * size;
      EXPECT_LE(error, ldexp(abs(sum), -168) + dropped) << spread << " " << count;
    }
  }
}

TEST(SumOfProducts, KeepsWhatCancellationLeaves) {
  Stream stream(2);
  const Real50 a = random_number(stream, 5);
  const Real50 b = random_number(stream, 5);
  const Real50 small = ldexp(Real50(3), -170);
  const auto left = split_all({a, small, Real50(-a), Real50(0)});
  const auto right = split_all({b, Real50(1), b, Real50(7)});
  EXPECT_EQ(sum_of_products(left, right), small);
}

TEST(SumOfProducts, OfNothingIsZero) {
  EXPECT_EQ(sum_of_products({}, {}), 0);
  EXPECT_EQ(sum_of_products(split_all({Real50(0), Real50(2)}), split_all({Real50(5), Real50(0)})),
            0);
}

TEST(SumOfProducts, RoundsTiesToEven) {
  // 1 + 2^−168 lies halfway between 1 and its successor 1 + 2^−167; 1 + 3·2^−168 rounds up.
  const Real50 half = ldexp(Real50(1), -168);
  const auto ones = split_all({Real50(1), Real50(1)});
  EXPECT_EQ(sum_of_products(split_all({Real50(1), half}), ones), 1);
  EXPECT_EQ(sum_of_products(split_all({Real50(1), Real50(3 * half)}), ones),
            1 + ldexp(Real50(1), -166));
  // All ones, rounded up, is the next power of two.
  const Real50 below = 2 - ldexp(Real50(1), -167);
  EXPECT_EQ(sum_of_products(split_all({below, half}), ones), 2);
}

TEST(WideTerm, HoldsFiniteNumbersAlone) {
  WideTerm term;
  EXPECT_FALSE(split(std::numeric_limits<Real50>::infinity(), term));
  EXPECT_FALSE(split(std::numeric_limits<Real50>::quiet_NaN(), term));
  EXPECT_TRUE(split(Real50(0.5), term));
  EXPECT_EQ(term.exponent, -1);
}

}  // namespace
}  // namespace rootdk::detail
