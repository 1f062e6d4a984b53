#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/law.hpp>
#include <rootdk/stats/share.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace rootdk::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tails proportion_tails(const Law& law, double nu, double x, double effect) {
  // A probability outside [0, 1] cannot occur: it is excluded whatever is seen.
  const double p = law.p0 + effect * law.unit;
  if (p < 0) return {.lower = 1, .upper = 0};
  if (p > 1) return {.lower = 0, .upper = 1};
  return {.lower = binomial_lower(nu, p, x), .upper = binomial_upper(nu, p, x)};
}

/// Upper tail of a standardised mean, with the error of the normal law charged. Where the charge
/// outgrows the tail, far beyond the range of the series, the bound at a smaller z still holds.
double charged_upper(const Law& law, double nu, double z) {
  if (law.kind == LawKind::location || z <= 0) return normal_upper(z);
  const double cubic = std::abs(law.skewness) / (6 * std::sqrt(nu));
  const double quartic = (std::abs(law.excess) / 24 + law.skewness * law.skewness / 8) / nu;
  // Zero of the derivative of −z²/2 + cubic z³ + quartic z⁴: any point below z is as valid.
  const double root = std::sqrt(9 * cubic * cubic + 16 * quartic);
  const double least = root > 0 ? 2 / (3 * cubic + root) : kInfinity;
  const double at = std::min({z, least, 30.0});  // 1e−197 is tail enough, and no 0 · ∞
  const double inflation = cubic * at * at * at + quartic * at * at * at * at;
  return std::min(1.0, normal_upper(at) * std::exp(inflation));
}

/// z with charged_upper(z) = tail; infinite if the charge never lets the tail fall so low.
double charged_quantile(const Law& law, double nu, double tail) {
  double low = normal_upper_quantile(tail);
  if (law.kind == LawKind::location) return low;
  double high = low;
  while (charged_upper(law, nu, high) > tail) {
    low = high;
    high *= 1.02;
    // Beyond √n/γ the series means nothing: no level this small can be promised with so few values.
    if (high > std::sqrt(nu)) return kInfinity;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (charged_upper(law, nu, middle) > tail ? low : high) = middle;
  }
  return high;
}

Tails scale_tails(double nu, double x, double effect) {
  if (!(effect > -1)) return {.lower = 1, .upper = 0};
  const double scaled = x / (1 + effect);
  if (std::isinf(scaled)) return {.lower = 1, .upper = 0};
  return {.lower = chi_squared_lower(nu, scaled), .upper = chi_squared_upper(nu, scaled)};
}

Tails mean_tails(const Law& law, double nu, double x, double effect) {
  const double z = (x - nu * effect) / std::sqrt(nu);
  return {.lower = charged_upper(law, nu, -z), .upper = charged_upper(law, nu, z)};
}

Tails extreme_tails(double nu, double x, double effect) {
  const double scaled = x / (1 + effect);
  if (scaled >= 1) return {.lower = 1, .upper = 0};
  if (scaled <= 0) return {.lower = 0, .upper = 1};
  const double log_lower = nu * std::log(scaled);
  return {.lower = std::exp(log_lower), .upper = -std::expm1(log_lower)};
}

Tails shape_tails(double nu, double x, double effect) {
  // Distances have one direction: a negative effect cannot occur, so it is excluded at once.
  if (effect < 0) return {.lower = 1, .upper = 0};
  if (effect == 0) return {.lower = 1, .upper = std::exp(-2 * nu * x * x)};
  if (x >= effect) return {.lower = 1, .upper = 1};
  const double gap = effect - x;
  return {.lower = std::min(1.0, 2 * std::exp(-2 * nu * gap * gap)), .upper = 1};
}

double dkw_distance(double nu, double tail) { return std::sqrt(-std::log(tail) / (2 * nu)); }

}  // namespace

std::string_view name(LawKind kind) {
  constexpr std::array<std::string_view, 8> names{"chi_squared", "normal", "moment", "binomial",
                                                  "extreme",     "dkw",    "bound",  "share"};
  return names[static_cast<std::size_t>(kind)];
}

Law proportion(double p0) { return proportion(p0, std::sqrt(p0 * (1 - p0))); }
Law proportion(double p0, double unit) {
  return {.kind = LawKind::proportion, .p0 = p0, .unit = unit};
}
Law share(double p0) { return {.kind = LawKind::share, .p0 = p0}; }
Law moment(double skewness, double excess) {
  return {.kind = LawKind::moment, .skewness = skewness, .excess = excess};
}

void add(const Law& law, Evidence& total, const Evidence& block) {
  total.nu += block.nu;
  if (law.kind == LawKind::extreme || law.kind == LawKind::bound) {
    // Written so that a NaN, once seen, stays.
    total.x = block.x <= total.x ? total.x : (std::isnan(total.x) ? total.x : block.x);
  } else {
    total.x += block.x;
  }
  total.values.insert(total.values.end(), block.values.begin(), block.values.end());
}

Tails tails(const Law& law, double nu, double x, double effect) {
  switch (law.kind) {
    case LawKind::scale:
      return scale_tails(nu, x, effect);
    case LawKind::location:
    case LawKind::moment:
      return mean_tails(law, nu, x, effect);
    case LawKind::proportion:
      return proportion_tails(law, nu, x, effect);
    case LawKind::extreme:
      return extreme_tails(nu, x, effect);
    case LawKind::shape:
      return shape_tails(nu, x, effect);
    case LawKind::bound:
      return x <= 1 ? Tails{.lower = 0, .upper = 1} : Tails{.lower = 1, .upper = 0};
    case LawKind::share:
      return share_tails(law, nu, x, effect);
  }
  return {};
}

Interval critical(const Law& law, double nu, double tail) {
  switch (law.kind) {
    case LawKind::scale:
      return {chi_squared_lower_quantile(nu, tail), chi_squared_upper_quantile(nu, tail)};
    case LawKind::location:
    case LawKind::moment: {
      const double x = std::sqrt(nu) * charged_quantile(law, nu, tail);
      return {-x, x};
    }
    case LawKind::proportion:
      // One past the quantile: the count itself must have a tail of at most `tail`.
      return {binomial_lower_quantile(nu, law.p0, tail) - 1,
              binomial_upper_quantile(nu, law.p0, tail) + 1};
    case LawKind::extreme:
      return {std::exp(std::log(tail) / nu), std::exp(std::log1p(-tail) / nu)};
    case LawKind::shape:
      return {0, dkw_distance(nu, tail)};
    case LawKind::bound:
      return {0, 1};
    case LawKind::share:
      return share_critical(law, nu, tail);
  }
  return {};
}

Interval effect_interval(const Law& law, double nu, double x, double tail) {
  switch (law.kind) {
    case LawKind::scale:
      return {x / chi_squared_upper_quantile(nu, tail) - 1,
              x / chi_squared_lower_quantile(nu, tail) - 1};
    case LawKind::location:
    case LawKind::moment: {
      const double half = charged_quantile(law, nu, tail) / std::sqrt(nu);
      return {x / nu - half, x / nu + half};
    }
    case LawKind::proportion: {
      // Clopper and Pearson, 1934.
      const double low = x <= 0 ? 0 : beta_lower_quantile(x, nu - x + 1, tail);
      const double high = x >= nu ? 1 : beta_upper_quantile(x + 1, nu - x, tail);
      return {(low - law.p0) / law.unit, (high - law.p0) / law.unit};
    }
    case LawKind::extreme:
      return {x - 1, x / std::exp(std::log(tail) / nu) - 1};
    case LawKind::shape: {
      const double half = dkw_distance(nu, tail / 2);
      return {std::max(0.0, x - half), x + half};
    }
    case LawKind::bound:
      return {0, x};
    case LawKind::share:
      return share_interval(law, nu, x, tail);
  }
  return {};
}

double effect_estimate(const Law& law, double nu, double x) {
  switch (law.kind) {
    case LawKind::scale:
      return x / nu - 1;
    case LawKind::location:
    case LawKind::moment:
      return x / nu;
    case LawKind::proportion:
      return (x / nu - law.p0) / law.unit;
    case LawKind::extreme:
      return x - 1;
    case LawKind::shape:
    case LawKind::bound:
      return x;
    case LawKind::share:
      return std::log(x / nu / law.p0);
  }
  return 0;
}

double log10_p(const Law& law, double nu, double x) {
  constexpr double log10_two = 0.30102999566398119521;
  const Tails both = tails(law, nu, x, 0);
  const double tail = std::min(both.lower, both.upper);
  if (law.kind == LawKind::bound) return x <= 1 ? 0 : -kInfinity;
  if (tail > 1e-290) return std::min(0.0, std::log10(tail) + log10_two);
  if (law.kind == LawKind::scale) return log10_chi_squared_tail(nu, x) + log10_two;
  if (law.kind == LawKind::location) {
    return log10_normal_upper(std::abs(x) / std::sqrt(nu)) + log10_two;
  }
  if (law.kind == LawKind::shape) return -2 * nu * x * x / std::numbers::ln10 + log10_two;
  return tail > 0 ? std::log10(tail) + log10_two : -kInfinity;
}

double uniform_distance(std::vector<double>& values) {
  std::ranges::sort(values);
  const double n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double below = static_cast<double>(i) / n;
    const double above = static_cast<double>(i + 1) / n;
    distance = std::max({distance, values[i] - below, above - values[i]});
  }
  return distance;
}

}  // namespace rootdk::stats
