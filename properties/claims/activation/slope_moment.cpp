#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/activation/normal_points.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace rootdk::claims::activation::slope_moment {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

/// E f′(z)² to the digits shown, and f′ written out anew for the moments of the sampled values.
struct Member {
  const char* name;
  double moment;
  double digits;  ///< half a unit of the last digit
  double (*slope)(double);
  std::vector<double> kinks;
  std::vector<std::string> defects;
};

const std::vector<Member>& members() {
  static const std::vector<Member> all{
      {"relu", 0.5, 0, [](double x) { return x > 0 ? 1.0 : 0.0; }, {0}, {"numbers.relu_open"}},
      {"silu",
       0.379482351633,
       5e-13,
       [](double x) { return logistic(x) * (1 + x * logistic(-x)); },
       {},
       {"numbers.silu_slope_truncated"}},
      {"gelu",
       0.455850865649,
       5e-13,
       [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2 + x * density(x); },
       {},
       {"numbers.gelu_by_tanh"}},
      {"tanh",
       0.464402902448,
       5e-13,
       [](double x) { return std::pow(std::cosh(x), -2); },
       {},
       {"numbers.slope_from_input"}},
      {"sigmoid",
       0.0448362413502,
       5e-14,
       [](double x) { return logistic(x) * logistic(-x); },
       {},
       {"numbers.slope_from_input"}}};
  return all;
}

/// Mean, standard deviation, skewness and excess of f′(z)².
struct Moments {
  double mean, sd, skewness, excess;
};
Moments moments(const Member& f) {
  const auto central = [&](double centre, int power) {
    return stats::normal_expectation(
               [&](double z) { return std::pow(std::pow(f.slope(z), 2) - centre, power); }, f.kinks)
        .value;
  };
  const double mean = central(0, 1);
  const double variance = central(mean, 2);
  return {mean, std::sqrt(variance), central(mean, 3) / std::pow(variance, 1.5),
          central(mean, 4) / (variance * variance) - 3};
}

// A slope of values up to 1.13 costs at most 8 roundings (activation.silu_derivative; GELU 6 with an
// error function of 4 at |x| of order 1), its square 17.
constexpr double kRoundings = 17;

void sample(Block& block, const Member& f, const Moments& law) {
  const auto width = block.integer("width");
  const Tensor z = block.normal("z", 1, width);
  const Tensor dy = block.draw("dy", "two_point", 1, width);
  const Tensor dz = block.matrix(1, width);
  block.backward(f.name, {}, {z, dy}, {dz});
  std::vector<double> standardised;
  for (const double slope : block.values(dz)) {
    standardised.push_back((slope * slope - law.mean) / law.sd);
  }
  block.standardised("sampled", stats::Independent{standardised});

  const NormalPoints rule = normal_points();
  const Tensor at = block.row(rule.at);
  const Tensor cotangent = block.matrix(1, at.cols());
  const Tensor slopes = block.matrix(1, at.cols());
  fill(cotangent, -2);
  block.backward(f.name, {}, {at, cotangent}, {slopes});
  const double seen = mean_square(rule, block.values(slopes)) / 4;
  const double u = unit_roundoff(block.dtype());
  block.error("quadrature", std::abs(seen - f.moment) / u, f.digits / u + kRoundings,
              fmt::format("{:.15g}, expected {:.13g}", seen, f.moment));
}

Claim of(const Member& f) {
  const Moments law = moments(f);
  return Claim{
      .member = f.name,
      .statement = fmt::format("A unit with {} passes the mean square {:.13g} of its gradient on, "
                               "when its input is standard normal",
                               f.name, f.moment),
      .latex = fmt::format(R"(\mathbb E\,\mathrm{{{}}}'(z)^2 = {:.12g},\ z \sim N(0,1))", f.name,
                           f.moment),
      .source = "section “Gradient stability in the backward pass”: SiLU instead of ReLU",
      .premise = "z standard normal, cotangent independent of z",
      .derivation =
          "dz = dy f′(z), so that the backward gain of an activation is E f′(z)². It is "
          "the counterpart of the forward gain E f(z)², and the two differ for every "
          "activation that is not positively homogeneous as ReLU is.",
      .method = "Q: quadrature through the backward pass; M: sampled values of known moments",
      .domain = Domain().integer("width", 64, 2048).choice("dtype", {"f64", "f32"}),
      .needs = {{f.name, Pass::backward}},
      .checks = {{.name = "quadrature", .law = stats::bound()},
                 {.name = "sampled",
                  .law = stats::moment(law.skewness, law.excess),
                  .expected = constant(f.moment),
                  .unit = constant(law.sd)}},
      .sample = [f, law](Block& block) { sample(block, f, law); },
      .defects = f.defects,
  };
}

}  // namespace

Claims claim() {
  std::vector<Claim> claims;
  for (const Member& f : members()) claims.push_back(of(f));
  return claims;
}

}  // namespace rootdk::claims::activation::slope_moment
