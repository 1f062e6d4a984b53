#include <rootdk/properties/claim.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace rootdk::claims::init::endpoints {
namespace {

constexpr int kRandomWords = 256;

int bits_of(Dtype dtype) {
  constexpr std::array<int, 4> digits{53, 24, 11, 8};
  return digits.at(static_cast<std::size_t>(dtype)) - 1;
}

/// The ends, the middle, single bits and their complements, and some random words.
std::vector<std::uint64_t> words_of(Block& block) {
  std::vector<std::uint64_t> words{0, 1, ~std::uint64_t{0} >> 1U, std::uint64_t{1} << 63U};
  for (unsigned bit = 0; bit < 64; ++bit) words.push_back(~std::uint64_t{0} << bit);
  Stream stream = block.stream("words");
  for (int i = 0; i < kRandomWords; ++i) words.push_back(stream());
  const std::size_t half = words.size();
  for (std::size_t i = 0; i < half; ++i) words.push_back(~words[i]);
  return words;
}

/// The uniform value of a word: the middle of its cell, exact in the dtype.
double uniform(std::uint64_t word, int bits) {
  const auto cell = static_cast<double>(word >> static_cast<unsigned>(64 - bits));
  return std::ldexp(2 * cell + 1, -bits) - 1;
}

double cut() { return std::erf(std::numbers::sqrt2); }

/// Back to the uniform value by erf, the forward function.
void value(Block& block, const std::string& transform, double seen, double u) {
  const double z = std::abs(seen);
  if (transform == "uniform") {
    block.close("value", seen, u, 1, 0.5);
  } else if (transform == "normal") {
    // d ln(1 − |u|)/d ln z = −zφ/Q ≥ −(z² + 1): one rounding to the dtype, and a few u of double
    // for each of the two error functions.
    const double tail = 1 - std::abs(u);
    block.close("value", std::erfc(z / std::numbers::sqrt2), tail, tail, 6 * (z * z + 1) + 6);
  } else {
    // d erf(z/√2) = 2φ(z) dz and 2zφ(z) < ½.
    block.close("value", std::erf(z / std::numbers::sqrt2), std::abs(u) * cut(), 1, 6);
  }
}

void sample(Block& block) {
  const std::string& transform = block.text("transform");
  const std::vector<std::uint64_t> words = words_of(block);
  const auto count = static_cast<std::int64_t>(words.size());
  const Tensor v = block.matrix(1, count);
  block.forward(transform + "_transform", {.words = words}, {}, {v});
  const double bound = transform == "normal" ? std::numeric_limits<double>::infinity()
                                             : (transform == "uniform" ? 1 : 2);
  const std::int64_t half = count / 2;
  for (std::int64_t j = 0; j < count; ++j) {
    const double seen = element(v, 0, j);
    const std::uint64_t word = words[static_cast<std::size_t>(j)];
    block.holds("finite", std::isfinite(seen), transform);
    block.holds("inside", std::abs(seen) < bound && seen != 0, transform);
    value(block, transform, seen, uniform(word, bits_of(block.dtype())));
    if (j < half) {
      block.holds("symmetric", seen == -element(v, 0, j + half), "word and complement");
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "The transforms of a generator's 64-bit word to a uniform, a normal and a "
          "truncated normal value are finite, non-zero and strictly inside the support for "
          "every word, the extreme ones included, in double, float, fp16 and bf16",
      .latex = R"(u=\frac{2k+1}{2^{p-1}}-1\in(-1,1),\quad z=\sqrt2\,\mathrm{erf}^{-1}(u))",
      .source = "section “The solution of initialisation”: entries sampled from N(0, 1/n_in)",
      .derivation =
          "With p significand bits, k of p − 1 bits names a cell and 2k + 1 its middle, so "
          "no word gives 0 or ±1, where erf⁻¹ is infinite. A generator that rounds its "
          "word to [0, 1] meets 1 once in 2²⁵ floats: too rare to be found by sampling, "
          "common in a model of 10⁸ weights.",
      .method = "I: extreme, single-bit and random words; back by erf within its condition",
      .domain = Domain()
                    .choice("transform", {"uniform", "normal", "truncated"})
                    .choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"uniform_transform"}, {"normal_transform"}, {"truncated_transform"}},
      .checks = {{.name = "finite", .law = stats::bound()},
                 {.name = "inside", .law = stats::bound()},
                 {.name = "symmetric", .law = stats::bound()},
                 {.name = "value", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.end_point", "init.truncated_float_outlier"},
  };
}

}  // namespace rootdk::claims::init::endpoints
