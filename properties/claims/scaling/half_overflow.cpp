#include <rootdk/properties/claim.hpp>

#include <cmath>
#include <limits>

namespace rootdk::claims::scaling::half_overflow {
namespace {

/// The largest value that rounds to a finite number: 65,519 in fp16, above all sums here elsewhere.
bool overflows(Dtype dtype, double value) { return dtype == Dtype::f16 && value >= 65520; }

void sample(Block& block) {
  const auto d = block.integer("d_k");
  const auto m = block.integer("m");
  const auto width = static_cast<double>(d);
  const Tensor q = block.matrix(2, d);
  const Tensor k = block.matrix(m, d);
  const Tensor v = block.normal("V", m, 3);
  fill(q, 32);
  fill(k, 32);
  const Tensor raw = block.matrix(2, m);
  const Tensor s = block.matrix(2, m);
  const Tensor o = block.matrix(2, 3);
  block.forward("scores", {.scheme = "none"}, {q, k}, {raw});
  block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
  block.forward("attention", {.scheme = "sqrt_dk"}, {q, k, v}, {o});
  const Tensor scaled = block.matrix(2, d);
  const Tensor early = block.matrix(2, m);
  fill(scaled, 4);  // Q/8
  block.forward("scores", {.scheme = "none"}, {scaled, k}, {early});
  // Sums of equal terms 1024 are exact in float. Where a kernel scales the vectors first the terms are
  // rounded, and so is each of d sums; roots, factors and products cost 2 u on either vector, the
  // rounding to the dtype 1 u. Sums of 128 are below 2^15 and have 8 bits at most: exact but for the
  // dtype.
  const bool half = raw.dtype != Dtype::f32;  // with sums in float, whose errors do not count
  const double product = 1024 * width;
  const double expected = 1024 * std::sqrt(width);
  // A kernel may sum the columns of one product in different orders, so that two of the equal scores
  // differ by twice their error and two probabilities by the exponential of that.
  const double u = unit_roundoff(raw.dtype);
  const double unequal = half ? 0 : std::expm1(2 * (width + 5) * u * expected) / u;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      block.holds("QKᵀ", std::isinf(element(raw, i, j)) == overflows(raw.dtype, product));
      block.close("QKᵀ/√d_k", element(s, i, j), expected, expected, half ? 5 : width + 5);
      block.close("(Q/8)Kᵀ", element(early, i, j), 128 * width, 128 * width, 1);
    }
    for (std::int64_t c = 0; c < 3; ++c) {
      double mean = 0;
      double size = 0;
      for (std::int64_t j = 0; j < m; ++j) {
        mean += element(v, j, c) / static_cast<double>(m);
        size += std::abs(element(v, j, c)) / static_cast<double>(m);
      }
      // (m + 4) u of each probability, m u of the sum of m products.
      block.close("uniform", element(o, i, c), mean, size + std::abs(mean),
                  (half ? 4 : 2 * static_cast<double>(m) + 6) + unequal);
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "In fp16 the order decides: with q = k = 32·1 the product QKᵀ = 1024 d_k overflows from "
          "d_k = 64 on, (Q/8)Kᵀ and the scaled scores do not, and softmax is uniform",
      .latex = R"(32\cdot 32\cdot 64 = 65536 > 65504,\quad 4\cdot 32\cdot 64 = 8192)",
      .source = "section “The effect of dividing by √d_k”; a trap of half precision",
      .derivation =
          "The largest finite number of fp16 is 65,504, and 65,520 rounds to infinity. Scaling "
          "the query first keeps every intermediate value √d_k times smaller.",
      .method = "I: exact sums of equal terms; within 5 u with the factor, (d_k + 5) u in float",
      .domain = Domain()
                    .integer("d_k", 48, 255)
                    .integer("m", 1, 9)
                    .choice("dtype", {"f16", "bf16", "f32"}),
      .needs = {{"scores"}, {"attention"}},
      .checks = {{.name = "QKᵀ", .law = stats::bound()},
                 {.name = "QKᵀ/√d_k", .law = stats::bound()},
                 {.name = "(Q/8)Kᵀ", .law = stats::bound()},
                 {.name = "uniform", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_missing"},
  };
}

}  // namespace rootdk::claims::scaling::half_overflow
