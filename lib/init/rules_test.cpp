#include <rootdk/lib/init/rules.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace rootdk {
namespace {

// Simpson's rule of N intervals errs by h⁴/180 times the integral of the fourth derivative: by
// 269/N⁴ for the eighth power of a uniform law, the worst power here, and by h⁴ · 1.4/180, h = 24/N,
// for a normal density over ±12. N = 6000 makes both below 3e−12; 6,000 roundings add 1e−12.
constexpr int kIntervals = 6000;
constexpr double kSimpson = 1e-11;

constexpr InitSettings kSettings{.fan_in = 12, .fan_out = 20, .gain = 1.5};

/// ∫ f over [low, high].
template <class F>
double simpson(F f, double low, double high) {
  const double h = (high - low) / kIntervals;
  double sum = f(low) + f(high);
  for (int i = 1; i < kIntervals; ++i) sum += f(low + i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

bool is_independent(const Initialiser& rule) { return rule.law != EntryLaw::orthogonal; }

/// Where the density is integrated: the bound, or 12 standard deviations. At the bound itself the
/// density is 0, one number below it is not.
double edge(const Initialiser& rule) {
  const double bound = entry_bound(rule, kSettings);
  return std::isfinite(bound) ? std::nextafter(bound, 0.0)
                              : 12 * std::sqrt(entry_variance(rule, kSettings));
}

TEST(EntryCdf, IsTheIntegralOfTheDensity) {
  for (const Initialiser& rule : initialisers()) {
    if (!is_independent(rule)) continue;
    const auto density = [&](double w) { return entry_density(rule, kSettings, w); };
    const double end = edge(rule);
    for (const double share : {-0.9, -0.2, 0.0, 0.4, 1.0}) {
      EXPECT_NEAR(entry_cdf(rule, kSettings, share * end), simpson(density, -end, share * end),
                  kSimpson)
          << rule.name << " at " << share;
    }
  }
}

TEST(EntryMoment, IsTheIntegralOfThePower) {
  for (const Initialiser& rule : initialisers()) {
    if (!is_independent(rule)) continue;
    const double sd = std::sqrt(entry_variance(rule, kSettings));
    const double end = edge(rule);
    for (const int order : {2, 4, 8}) {
      const auto power = [&](double w) {
        return std::pow(w / sd, order) * entry_density(rule, kSettings, w);
      };
      EXPECT_NEAR(simpson(power, -end, end) / entry_moment(rule, order), 1, kSimpson) << rule.name;
    }
    EXPECT_EQ(entry_moment(rule, 3), 0);
    EXPECT_NEAR(entry_moment(rule, 4), entry_kurtosis(rule, kSettings), kSimpson) << rule.name;
  }
}

TEST(EntryCdf, ReachesItsEndsAtTheBound) {
  const Initialiser& uniform = initialiser("lecun_uniform");
  const double bound = entry_bound(uniform, kSettings);
  EXPECT_EQ(entry_cdf(uniform, kSettings, -2 * bound), 0);
  EXPECT_EQ(entry_cdf(uniform, kSettings, 2 * bound), 1);
}

TEST(EntryCdf, RejectsDependentEntries) {
  const Initialiser& orthogonal = initialiser("orthogonal");
  EXPECT_THROW(entry_cdf(orthogonal, kSettings, 0), std::invalid_argument);
  EXPECT_THROW(entry_density(orthogonal, kSettings, 0), std::invalid_argument);
  EXPECT_THROW(entry_moment(orthogonal, 2), std::invalid_argument);
}

TEST(Initialiser, IsFoundByNameOrNamed) {
  for (const Initialiser& rule : initialisers()) EXPECT_EQ(&initialiser(rule.name), &rule);
  EXPECT_THROW(initialiser("xavier"), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
