#pragma once

#include <rootdk/stats/law.hpp>

namespace rootdk::stats {

// The law `share`: successes of a probability of at least p₀. It has one direction: a greater share
// is no defect. An effect e ≤ 0 is a share of p₀ exp(e), so that it stays a probability however
// wide the effort's δ is; δ = ln(2 p₀) excludes a share of ½.
//
// Guarantee, for independent trials: (a) a share of p₀ or more is refuted with a probability of at
// most α; (b) a share of p₀ exp(−δ) or less is found equivalent with a probability of at most β.

/// P(X ≤ x) at p₀ exp(effect) and, where there is an effect, P(X ≥ x). Without an effect no count
/// is too great, and a positive effect cannot occur: it is excluded whatever is seen.
Tails share_tails(const Law& law, double nu, double x, double effect);

/// The greatest count whose lower tail at p₀ is at most `tail`, and a count that cannot occur.
Interval share_critical(const Law& law, double nu, double tail);

/// Clopper and Pearson's limits of the share, as effects.
///
/// @source Clopper, Pearson, "The use of confidence or fiducial limits illustrated in the case of
///         the binomial", 1934
Interval share_interval(const Law& law, double nu, double x, double tail);

}  // namespace rootdk::stats
