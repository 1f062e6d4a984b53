#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/share.hpp>

#include <cmath>

namespace rootdk::stats {

Tails share_tails(const Law& law, double nu, double x, double effect) {
  if (effect > 0) return {.lower = 0, .upper = 1};
  const double p = law.p0 * std::exp(effect);
  const double upper = effect < 0 || x > nu ? binomial_upper(nu, p, x) : 1;
  return {.lower = binomial_lower(nu, p, x), .upper = upper};
}

Interval share_critical(const Law& law, double nu, double tail) {
  return {binomial_lower_quantile(nu, law.p0, tail) - 1, nu + 1};
}

Interval share_interval(const Law& law, double nu, double x, double tail) {
  const double low = x <= 0 ? 0 : beta_lower_quantile(x, nu - x + 1, tail);
  const double high = x >= nu ? 1 : beta_upper_quantile(x + 1, nu - x, tail);
  return {std::log(low / law.p0), std::log(high / law.p0)};
}

}  // namespace rootdk::stats
