#pragma once

#include <cstdint>

namespace rootdk::stats {

// Tails and quantiles of the laws in use. Every function takes the tail it returns by name, so that
// no probability is ever formed as 1 − (nearly 1).

double normal_upper(double z);              ///< P(Z > z)
double normal_upper_quantile(double tail);  ///< z with P(Z > z) = tail
double log10_normal_upper(double z);        ///< also where the tail underflows

double chi_squared_lower(double nu, double x);
double chi_squared_upper(double nu, double x);
double chi_squared_lower_quantile(double nu, double tail);
double chi_squared_upper_quantile(double nu, double tail);
/// log₁₀ of the smaller tail at x, also where it underflows.
double log10_chi_squared_tail(double nu, double x);

double beta_lower(double a, double b, double x);
double beta_upper(double a, double b, double x);
double beta_lower_quantile(double a, double b, double tail);
double beta_upper_quantile(double a, double b, double tail);

/// P(successes ≤ k) and P(successes ≥ k) of Bin(n, p).
double binomial_lower(double n, double p, double k);
double binomial_upper(double n, double p, double k);
/// Smallest k with P(successes ≤ k) ≥ tail; largest k with P(successes ≥ k) ≥ tail.
double binomial_lower_quantile(double n, double p, double tail);
double binomial_upper_quantile(double n, double p, double tail);

double f_lower(double nu1, double nu2, double x);
double f_upper(double nu1, double nu2, double x);
double f_lower_quantile(double nu1, double nu2, double tail);
double f_upper_quantile(double nu1, double nu2, double tail);

/// ln Γ(x), x > 0. That of C writes a global, signgam, which is a race between threads.
double log_gamma(double x);
double digamma(double x);
double trigamma(double x);
double polygamma(int order, double x);  ///< order 0: digamma, 1: trigamma, …

}  // namespace rootdk::stats
