#include <rootdk/lib/scalars/wide_sum.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace rootdk::detail {
namespace {

__extension__ using Word2 = unsigned __int128;
using Backend = Real50::backend_type;

constexpr std::size_t kWords = 6;
// A factor has 168 bits in 192. Moved up by 16, a product leaves 32 bits for carries and the sign of
// 2³¹ terms.
constexpr int kGuard = 16;

using Sum = std::array<std::uint64_t, kWords>;

/// 2^kGuard a b.
Sum multiplied(const WideTerm& a, const WideTerm& b) {
  Sum product{};
  const std::array<std::uint64_t, 3> left{a.bits[0] << kGuard,
                                          (a.bits[1] << kGuard) | (a.bits[0] >> (64 - kGuard)),
                                          (a.bits[2] << kGuard) | (a.bits[1] >> (64 - kGuard))};
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const Word2 part = static_cast<Word2>(left[i]) * b.bits[j] + product[i + j] + carry;
      product[i + j] = static_cast<std::uint64_t>(part);
      carry = static_cast<std::uint64_t>(part >> 64U);
    }
    product[i + 3] = carry;
  }
  return product;
}

/// sum ← sum ± (product >> shift), shift < 384.
void add_shifted(Sum& sum, const Sum& product, std::uint64_t shift, bool negative) {
  const std::size_t words = shift / 64;
  const auto bits = static_cast<unsigned>(shift % 64);
  // A subtraction adds the complement and 1.
  const std::uint64_t flip = negative ? ~std::uint64_t{0} : 0;
  std::uint64_t carry = negative ? 1 : 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t low = i + words < kWords ? product[i + words] : 0;
    const std::uint64_t high = i + words + 1 < kWords ? product[i + words + 1] : 0;
    // Twice, since a word cannot be moved by its whole length.
    const std::uint64_t part = (low >> bits) | (high << 1U << (63U - bits));
    const Word2 added = static_cast<Word2>(sum[i]) + (part ^ flip) + carry;
    sum[i] = static_cast<std::uint64_t>(added);
    carry = static_cast<std::uint64_t>(added >> 64U);
  }
}

std::int64_t exponent_of(const WideTerm& a, const WideTerm& b) {
  return static_cast<std::int64_t>(a.exponent) + b.exponent;
}

bool is_zero(const WideTerm& term) { return term.bits[2] == 0; }  // else its highest bit is set

/// The whole number times 2^unit, rounded to nearest, ties to even.
Real50 rounded(Sum sum, std::int64_t unit) {
  const bool negative = (sum[kWords - 1] >> 63U) != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (std::uint64_t& word : sum) {
      word = ~word + carry;
      carry = carry != 0 && word == 0 ? 1 : 0;
    }
  }
  std::size_t top = kWords;
  while (top > 0 && sum[top - 1] == 0) --top;
  if (top == 0) return Real50(0);
  const std::int64_t length = static_cast<std::int64_t>(top) * 64 - std::countl_zero(sum[top - 1]);
  constexpr std::int64_t digits = Backend::bit_count;
  if (length > digits) {
    // The lowest kept bit, the half below it, and whether anything lies below that.
    const auto drop = static_cast<std::uint64_t>(length - digits);
    const std::uint64_t half = drop - 1;
    const auto bit = [&](std::uint64_t at) { return ((sum[at / 64] >> (at % 64)) & 1U) != 0; };
    bool below = (sum[half / 64] & ((std::uint64_t{1} << (half % 64)) - 1)) != 0;
    for (std::size_t i = 0; i < half / 64; ++i) below = below || sum[i] != 0;
    const bool up = bit(half) && (below || bit(drop));
    Sum kept{};
    add_shifted(kept, sum, drop, false);
    for (std::size_t i = 0; up && i < kWords && ++kept[i] == 0; ++i) {
    }
    sum = kept;
    unit += static_cast<std::int64_t>(drop);
  }
  // At most 168 bits, or 1 followed by zeros: exact.
  Real50 value(sum[2]);
  value = ldexp(value, 64) + sum[1];
  value = ldexp(value, 64) + sum[0];
  value = ldexp(value, static_cast<int>(unit));
  return negative ? Real50(-value) : value;
}

}  // namespace

bool split(const Real50& x, WideTerm& term) {
  static_assert(Backend::bit_count == 168);
  const Backend& backend = x.backend();
  if (!isfinite(x)) return false;
  term = {};
  if (x.is_zero()) return true;
  const auto& bits = backend.bits();
  static_assert(sizeof(bits.limbs()[0]) == sizeof(std::uint64_t));
  for (std::size_t i = 0; i < std::min<std::size_t>(3, bits.size()); ++i) {
    term.bits[i] = bits.limbs()[i];
  }
  term.exponent = backend.exponent();
  term.negative = backend.sign();
  return true;
}

Real50 sum_of_products(std::span<const WideTerm> a, std::span<const WideTerm> b) {
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (is_zero(a[k]) || is_zero(b[k])) continue;
    largest = std::max(largest, exponent_of(a[k], b[k]));
  }
  Sum sum{};
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (is_zero(a[k]) || is_zero(b[k])) continue;
    const std::int64_t shift = largest - exponent_of(a[k], b[k]);
    if (shift >= static_cast<std::int64_t>(64 * kWords)) continue;
    add_shifted(sum, multiplied(a[k], b[k]), static_cast<std::uint64_t>(shift),
                a[k].negative != b[k].negative);
  }
  return rounded(sum, largest - 2 * (Backend::bit_count - 1) - kGuard);
}

}  // namespace rootdk::detail
