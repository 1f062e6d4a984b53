#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

#include <limits>

namespace rootdk::claims::activation::extremes {
namespace {

using Real = long double;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSlope = 0.25;  // of leaky ReLU
constexpr Real kScale = 1.0507009873554804934193349852946L;
constexpr Real kAlpha = 1.6732632423543772848170429916717L;

Real logistic(Real x) { return 1 / (1 + std::exp(-x)); }
Real cdf(Real x) { return std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2; }
Real pdf(Real x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<Real> / std::sqrt(2.0L);
}

/// f and f′ written out in extended precision, and their limits at ±∞. At 0 `slope` may also be the
/// other one-sided slope.
struct Member {
  std::string_view name;
  Real (*value)(Real);
  Real (*slope)(Real);
  double value_low, value_high, slope_low, slope_high;  ///< at −∞ and +∞
  double other_slope;                                   ///< at 0
};

const std::array kMembers{
    Member{"identity", [](Real x) { return x; }, [](Real) -> Real { return 1; }, -kInfinity,
           kInfinity, 1, 1, 1},
    Member{"relu", [](Real x) -> Real { return x > 0 ? x : 0; },
           [](Real x) -> Real { return x > 0 ? 1 : 0; }, 0, kInfinity, 0, 1, 1},
    Member{"leaky_relu", [](Real x) -> Real { return x > 0 ? x : kSlope * x; },
           [](Real x) -> Real { return x > 0 ? 1 : kSlope; }, -kInfinity, kInfinity, kSlope, 1, 1},
    Member{"tanh", [](Real x) { return std::tanh(x); },
           [](Real x) -> Real { return 4 * logistic(2 * x) * logistic(-2 * x); }, -1, 1, 0, 0, 1},
    Member{"sigmoid", logistic, [](Real x) -> Real { return logistic(x) * logistic(-x); }, 0, 1, 0,
           0, 0.25},
    Member{"silu", [](Real x) { return x * logistic(x); },
           [](Real x) -> Real { return logistic(x) * (1 + x * logistic(-x)); }, 0, kInfinity, 0, 1,
           0.5},
    Member{"gelu", [](Real x) { return x * cdf(x); },
           [](Real x) -> Real { return cdf(x) + x * pdf(x); }, 0, kInfinity, 0, 1, 0.5},
    Member{"selu",
           [](Real x) -> Real { return x > 0 ? kScale * x : kScale * kAlpha * std::expm1(x); },
           [](Real x) -> Real { return x > 0 ? kScale : kScale * kAlpha * std::exp(x); },
           static_cast<double>(-kScale* kAlpha), kInfinity, 0, static_cast<double>(kScale),
           static_cast<double>(kScale)}};

void point(Block& block, const Member& f, double asked, Dtype dtype) {
  const Tensor x = block.row(std::array{asked}, dtype);
  const Tensor dy = block.row(std::array{-2.0}, dtype);
  const Tensor y = block.matrix(1, 1, dtype);
  const Tensor dx = block.matrix(1, 1, dtype);
  const Attributes attributes{.slope = kSlope};
  block.forward(f.name, attributes, {x}, {y});
  block.backward(f.name, attributes, {x, dy}, {dx});
  const double at = element(x, 0, 0);  // as the dtype holds it
  double value =
      std::isinf(at) ? (at < 0 ? f.value_low : f.value_high) : static_cast<double>(f.value(at));
  double slope =
      std::isinf(at) ? (at < 0 ? f.slope_low : f.slope_high) : static_cast<double>(f.slope(at));
  const double seen = element(dx, 0, 0) / -2;
  if (at == 0 && seen == f.other_slope) slope = seen;
  // At these points no formula cancels: 8 roundings (activation.silu_derivative), constants and the
  // factor −2 two more, or less than the smallest normal number where results underflow.
  const double tolerance = roundings(dtype, 10);
  const std::string where = fmt::format("{} at {}", f.name, asked);
  const double scale = std::isinf(value) ? 1 : std::abs(value);
  const double tiny = smallest_normal(dtype) / unit_roundoff(dtype);
  block.close("value", element(y, 0, 0), value, scale + tiny, tolerance, where, dtype);
  block.close("slope", seen, slope, std::abs(slope) + tiny, tolerance, where, dtype);
}

void sample(Block& block) {
  const Dtype dtype = dtype_named(block.text("dtype"));
  for (const Member& f : kMembers) {
    const std::string op(f.name);
    if (!block.subject().has({op, Pass::forward, dtype}) ||
        !block.subject().has({op, Pass::backward, dtype})) {
      continue;  // an implementation has the activations that it has
    }
    for (const double x : {0.0, -0.0, 90.0, -90.0, 709.0, -709.0, kInfinity, -kInfinity}) {
      point(block, f, x, dtype);
    }
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "At 0, −0, ±90, ±709 and ±∞ every activation and its slope have the value of "
          "their limit, never NaN: ReLU, SiLU, GELU and SELU go to +∞ at +∞",
      .latex = R"(f(\pm\infty) = \lim f,\quad f'(\pm\infty) = \lim f')",
      .source = "section “Gradient stability in the backward pass”",
      .premise = "At a kink either one-sided slope",
      .derivation =
          "exp(90) is beyond float and exp(710) beyond double, so that exp(x)/(1+exp(x)) "
          "is ∞/∞; xσ(x) at −∞ is ∞ · 0. Written with exponentials of negative numbers "
          "only, and with the limits stated, nothing is lost.",
      .method = "I: values and slopes in each dtype against extended precision, bound in u",
      .domain = Domain().choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"sigmoid"}, {"sigmoid", Pass::backward}},
      .checks = {{.name = "value", .law = stats::bound()},
                 {.name = "slope", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.sigmoid_overflow", "numbers.relu_open"},
  };
}

}  // namespace rootdk::claims::activation::extremes
