#pragma once

#include <rootdk/stats/law.hpp>

namespace rootdk::stats {

// Every test in three functions: the test itself, the samples it needs, the smallest effect it
// sees.
//
// Guarantee, for evidence that follows the law: (a) without an effect, `refuted` has a probability
// of at most α; (b) with an effect of δ or more in either direction, `equivalent` has a probability
// of at most β. With ν ≥ samples(…) one of the two always holds.

/// Error rates and the effect that matters. α and β are per test, never per side.
struct Budget {
  double alpha = 0;
  double beta = 0;
  double delta = 0;
  double bias = 0;  ///< known error of the statement itself (scale only): tested against 1 ± bias
};

struct Finding {
  double estimate = 0;  ///< effect
  Interval interval;    ///< one-sided limits of the effect at level β
  double p = 1;         ///< two-sided
  double log10_p = 0;
  bool refuted = false;
  bool equivalent = false;
};

/// The p-value and the two decisions of `test` alone, without estimates: what the rates are about.
double p_value(const Law& law, const Evidence& evidence, const Budget& budget);
bool refutes(const Law& law, const Evidence& evidence, const Budget& budget);
bool excludes_effect(const Law& law, const Evidence& evidence, const Budget& budget);

/// Judges evidence once. A statistic that is not finite is refuted: it has probability 0.
Finding test(const Law& law, const Evidence& evidence, const Budget& budget);

/// Smallest ν at which every outcome is either refuted or equivalent.
///
/// @throws std::invalid_argument if α, β are not in (0, 1), δ ≤ 0 or bias ≥ δ
double samples(const Law& law, const Budget& budget);

/// Smallest δ that ν samples see with those error rates: the inverse of `samples`.
double smallest_effect(const Law& law, double nu, double alpha, double beta);

/// Probability that ν samples with that effect are refuted at α.
double detection_probability(const Law& law, double nu, double effect, double alpha);

}  // namespace rootdk::stats
