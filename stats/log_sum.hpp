#pragma once

namespace rootdk::stats {

/// The first four cumulants of ln Σ exp(s z_i).
struct LogSum {
  double mean = 0;
  double variance = 0;
  double third = 0;   ///< third cumulant
  double fourth = 0;  ///< fourth cumulant
};

/// Cumulants of ln Σ exp(s z_i), i = 1 … n, of independent standard normal z_i, for every n,
/// without sampling.
///
/// With E ~ Exp(1) independent of S = Σ exp(s z_i), P(ln E − ln S > x) = E exp(−eˣ S) = φ(eˣ)ⁿ,
/// φ(t) = E exp(−t exp(s z)): a law known exactly, from whose cumulants those of ln E (−γ, π²/6,
/// −2ζ(3), π⁴/15) are taken away.
///
/// Numerics: both integrals by the trapezoidal rule on analytic integrands; the cumulants are
/// differences, with an absolute error of about 1e−12.
///
/// @param n number of terms, ≥ 1
/// @param s scale in (0, 1.5], where the inner integrand is smooth enough for the rule's step
/// @throws std::invalid_argument if n or s is outside its range
LogSum log_sum_cumulants(double n, double s);

}  // namespace rootdk::stats
