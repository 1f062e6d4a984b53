#include <rootdk/stats/distributions.hpp>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cmath>
#include <numbers>

namespace rootdk::stats {
namespace {

namespace bm = boost::math;
using Policy = bm::policies::policy<bm::policies::promote_double<false>,
                                    bm::policies::overflow_error<bm::policies::ignore_error>>;
using Normal = bm::normal_distribution<double, Policy>;
using ChiSquared = bm::chi_squared_distribution<double, Policy>;
using Beta = bm::beta_distribution<double, Policy>;
using Binomial = bm::binomial_distribution<double, Policy>;
using F = bm::fisher_f_distribution<double, Policy>;

/// ln Q(a, x), x > a, by the continued fraction of the upper incomplete gamma function.
/// Source: DLMF 8.9.2, evaluated by Lentz's method.
double log_gamma_q(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / tiny;
  double d = 1 / b;
  double fraction = d;
  for (int i = 1; i < 100000; ++i) {
    const double numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const double step = c * d;
    fraction *= step;
    if (std::abs(step - 1) < 1e-15) break;
  }
  return a * std::log(x) - x - log_gamma(a) + std::log(fraction);
}

/// ln P(a, x), x < a, by the series of the lower incomplete gamma function (DLMF 8.11.4).
double log_gamma_p(double a, double x) {
  double term = 1 / a;
  double sum = term;
  for (int i = 1; i < 100000; ++i) {
    term *= x / (a + i);
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return a * std::log(x) - x - log_gamma(a) + std::log(sum);
}

}  // namespace

double normal_upper(double z) { return bm::cdf(bm::complement(Normal(), z)); }
double normal_upper_quantile(double tail) { return bm::quantile(bm::complement(Normal(), tail)); }

double log10_normal_upper(double z) {
  const double tail = normal_upper(z);
  if (tail > 0) return std::log10(tail);
  // Mills' ratio to second order: relative error below 3/z⁴, and z > 37 here.
  const double log_density = -z * z / 2 - std::log(2 * std::numbers::pi) / 2;
  return (log_density - std::log(z) + std::log1p(-1 / (z * z))) / std::numbers::ln10;
}

double chi_squared_lower(double nu, double x) { return bm::cdf(ChiSquared(nu), x); }
double chi_squared_upper(double nu, double x) { return bm::cdf(bm::complement(ChiSquared(nu), x)); }
double chi_squared_lower_quantile(double nu, double tail) {
  return bm::quantile(ChiSquared(nu), tail);
}
double chi_squared_upper_quantile(double nu, double tail) {
  return bm::quantile(bm::complement(ChiSquared(nu), tail));
}

double log10_chi_squared_tail(double nu, double x) {
  const bool upper = x > nu;
  const double tail = upper ? chi_squared_upper(nu, x) : chi_squared_lower(nu, x);
  if (tail > 1e-290) return std::log10(tail);
  if (!(x > 0)) return -std::numeric_limits<double>::infinity();
  const double log_tail = upper ? log_gamma_q(nu / 2, x / 2) : log_gamma_p(nu / 2, x / 2);
  return log_tail / std::numbers::ln10;
}

double beta_lower(double a, double b, double x) { return bm::cdf(Beta(a, b), x); }
double beta_upper(double a, double b, double x) { return bm::cdf(bm::complement(Beta(a, b), x)); }
double beta_lower_quantile(double a, double b, double tail) {
  return bm::quantile(Beta(a, b), tail);
}
double beta_upper_quantile(double a, double b, double tail) {
  return bm::quantile(bm::complement(Beta(a, b), tail));
}

double binomial_lower(double n, double p, double k) {
  if (k < 0) return 0;
  return k >= n ? 1 : bm::cdf(Binomial(n, p), k);
}
double binomial_upper(double n, double p, double k) {
  if (k <= 0) return 1;
  return k > n ? 0 : bm::cdf(bm::complement(Binomial(n, p), k - 1));
}

namespace {

/// First k in [0, n] for which `holds` is true, when it is false below and true from there on.
template <class Predicate>
double first_count(double n, Predicate holds) {
  double low = 0;
  double high = n;
  while (low < high) {
    const double middle = std::floor((low + high) / 2);
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

double binomial_lower_quantile(double n, double p, double tail) {
  return first_count(n, [&](double k) { return binomial_lower(n, p, k) >= tail; });
}
double binomial_upper_quantile(double n, double p, double tail) {
  return n - first_count(n, [&](double k) { return binomial_upper(n, p, n - k) >= tail; });
}

double f_lower(double nu1, double nu2, double x) { return bm::cdf(F(nu1, nu2), x); }
double f_upper(double nu1, double nu2, double x) { return bm::cdf(bm::complement(F(nu1, nu2), x)); }
double f_lower_quantile(double nu1, double nu2, double tail) {
  return bm::quantile(F(nu1, nu2), tail);
}
double f_upper_quantile(double nu1, double nu2, double tail) {
  return bm::quantile(bm::complement(F(nu1, nu2), tail));
}

double log_gamma(double x) { return bm::lgamma(x, Policy()); }
double digamma(double x) { return bm::digamma(x, Policy()); }
double trigamma(double x) { return bm::trigamma(x, Policy()); }
double polygamma(int order, double x) { return bm::polygamma(order, x, Policy()); }

}  // namespace rootdk::stats
