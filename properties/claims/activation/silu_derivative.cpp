#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::activation::silu_derivative {
namespace {

// Roots of silu′ and silu″ by 25-digit Newton iteration of σ(x)(1 + x σ(−x)).
constexpr double kZero = -1.2784645427610738;
constexpr double kLeastAt = -2.3993572805154677;
constexpr double kLeast = -0.0998393201288669;
constexpr double kGreatest = 1.0998393201288669;

/// Error of the slope in u. Each σ costs 4: an exponential of 2, a sum and a quotient. The product
/// x σ(−x) has 5, the sum 1 more, the outer product 1: with |σ x σ(−x)| ≤ 0.224 and values up to 1.1
/// that is 5 · 0.224 + (1 + 1 + 4) · 1.1 < 8. A formula may have σ(−x) as 1 − σ(x), which the
/// statement does not forbid; its error is 5 of 1 and not of σ(−x), and x times as large in the
/// slope. How many digits that leaves is what gradient.silu asks.
double roundings(double x) { return 8 + 5 * std::abs(x); }

double slope(Block& block, double x) {
  const Tensor in = block.row(std::array{x});
  const Tensor cotangent = block.row(std::array{-2.0});  // exact, and neither 1 nor positive
  const Tensor out = block.matrix(1, 1);
  block.backward("silu", {}, {in, cotangent}, {out});
  return element(out, 0, 0) / -2;
}

void sample(Block& block) {
  const double x = block.real("x");
  const double here = slope(block, x);
  block.close("reflection", here + slope(block, -x), 1, 1, 2 * roundings(x),
              "silu′(x) + silu′(−x)");
  // Distances from the zero are multiples of 1/64 or at least 0.002, where |silu′| > 4e-4.
  block.holds("sign", x > kZero ? here > 0 : here < 0, "silu′ > 0 just above its only zero");
  block.close("zero", slope(block, kZero), 0, 1, roundings(kZero), "silu′ at its zero");
  block.close("least", slope(block, kLeastAt), kLeast, 1, roundings(kLeastAt),
              "silu′ at its minimum");
  block.close("greatest", slope(block, -kLeastAt), kGreatest, 1, roundings(kLeastAt),
              "silu′ at its maximum");
  const double excess = std::max({0.0, kLeast - here, here - kGreatest});
  block.close("range", excess, 0, 1, roundings(x), "silu′ outside its range");
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "The slope of SiLU is 0 at −1.27846 alone, negative below, at least −0.09984 (at "
          "−2.39936), at most 1.09984 (at 2.39936), and silu′(x) + silu′(−x) = 1",
      .latex = R"(\mathrm{silu}'(x) = \sigma(x)(1 + x\sigma(-x)),\quad )"
               R"(\mathrm{silu}'(x) + \mathrm{silu}'(-x) = 1)",
      .source =
          "section “Gradient stability in the backward pass”: “all channels can pass some "
          "gradient”",
      .premise = "|x| ≤ 40, beyond which a slope may underflow",
      .derivation =
          "silu = xσ(x), and σ(x) + σ(−x) = 1 gives the reflection. The zero is where "
          "1 + xσ(−x) = 0, that is x = −1 − e^x, which has one solution; by the "
          "reflection the maximum is 1 less the minimum.",
      .erratum = Erratum{.says = "With SiLU all channels can pass some gradient",
                         .holds = "All but a unit at exactly −1.27846, where the slope is 0; units "
                                  "below it pass a gradient of the opposite sign"},
      .method = "I: slopes by the backward pass against 17-digit constants, error bound in u",
      .domain = Domain().real("x", -40, 40, 0.015625).choice("dtype", {"f64", "f32"}),
      .needs = {{"silu", Pass::backward}},
      .checks = {{.name = "reflection", .law = stats::bound()},
                 {.name = "sign", .law = stats::bound()},
                 {.name = "zero", .law = stats::bound()},
                 {.name = "least", .law = stats::bound()},
                 {.name = "greatest", .law = stats::bound()},
                 {.name = "range", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.silu_slope_truncated"},
  };
}

}  // namespace rootdk::claims::activation::silu_derivative
