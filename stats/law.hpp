#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rootdk::stats {

/// The laws that evidence may follow when a claim holds. `effect` is the size of a defect in the
/// law's own unit, 0 when the claim holds.
///
/// | kind       | evidence (ν, x)                     | law with effect e               |
/// |------------|-------------------------------------|---------------------------------|
/// | scale      | degrees of freedom, Σ (value/σ₀)²   | x/(1 + e) ~ χ²(ν)               |
/// | location   | count, Σ standardised values        | x ~ N(νe, ν)                    |
/// | moment     | count, Σ standardised values        | the same, asymptotically        |
/// | proportion | trials, successes                   | x ~ Bin(ν, p₀ + e·unit)         |
/// | extreme    | count, max of F(value)              | P(x ≤ t) = (t/(1 + e))^ν        |
/// | shape      | count, sup |F_n − F|                | DKW: P(x > t) ≤ 2 exp(−2νt²)    |
/// | bound      | comparisons, max of error/tolerance | x ≤ 1, no chance involved       |
/// | share      | trials, successes                   | x ~ Bin(ν, p), p ≥ p₀         |
enum class LawKind : std::uint8_t {
  scale,
  location,
  moment,
  proportion,
  extreme,
  shape,
  bound,
  share
};

struct Law {
  LawKind kind = LawKind::bound;
  double p0 = 0;        ///< proportion: probability when the claim holds; share: the least of it
  double unit = 1;      ///< proportion: probability per unit of effect
  double skewness = 0;  ///< moment: of one standardised value
  double excess = 0;    ///< moment: excess kurtosis of one standardised value

  bool operator==(const Law&) const = default;
};

/// The name used in stored results: "chi_squared", "normal", "moment", "binomial", "extreme",
/// "dkw", "bound", "share".
std::string_view name(LawKind kind);

constexpr Law scale() { return {.kind = LawKind::scale}; }
constexpr Law location() { return {.kind = LawKind::location}; }
constexpr Law extreme() { return {.kind = LawKind::extreme}; }
constexpr Law shape() { return {.kind = LawKind::shape}; }
constexpr Law bound() { return {.kind = LawKind::bound}; }

/// Successes of probability p0; the effect is counted in standard deviations of one trial.
Law proportion(double p0);
/// The same with an effect of probability `unit`, for rare events.
Law proportion(double p0, double unit);

/// Successes of a probability of at least p0, judged in that one direction.
Law share(double p0);

/// Mean of values whose mean and variance are known but whose law is not normal. The normal tail is
/// multiplied by exp(|γ||z|³/(6√n) + (|κ|/24 + γ²/8) z⁴/n), the leading terms of Cramér's series
/// with every sign taken against us, so that what the approximation may err is charged to α.
///
/// @source Cramér, "Sur un nouveau théorème-limite de la théorie des probabilités", 1938
Law moment(double skewness, double excess);

/// Does the law's evidence keep all values (and is therefore judged once, at the end)?
constexpr bool single_look(const Law& law) {
  return law.kind == LawKind::extreme || law.kind == LawKind::shape || law.kind == LawKind::bound;
}
/// May the evidence of several configurations be added up?
constexpr bool poolable(const Law& law) {
  return law.kind == LawKind::scale || law.kind == LawKind::location || law.kind == LawKind::moment;
}

/// A sum over independent blocks, in the law's own terms.
struct Evidence {
  double nu = 0;
  double x = 0;
  std::vector<double> values;  ///< shape only: F(value), in [0, 1] when the claim holds
};

/// total ← total and block: sums, or the maximum for `extreme` and `bound`.
void add(const Law& law, Evidence& total, const Evidence& block);

struct Tails {
  double lower = 1;  ///< P(X ≤ x)
  double upper = 1;  ///< P(X ≥ x)
};

/// Both tails at x of the law with that effect. For `moment` and `shape` upper bounds of them.
Tails tails(const Law& law, double nu, double x, double effect);

struct Interval {
  double low = 0;
  double high = 0;
};

/// The x below and above which each tail of the law without effect is at most `tail`.
Interval critical(const Law& law, double nu, double tail);

/// One-sided limits of the effect, each wrong with probability at most `tail`.
Interval effect_interval(const Law& law, double nu, double x, double tail);

/// The most likely effect.
double effect_estimate(const Law& law, double nu, double x);

/// log₁₀ of the two-sided p-value, also where it underflows.
double log10_p(const Law& law, double nu, double x);

/// Largest distance between the empirical distribution of the values and the uniform law.
///
/// @param values in any order; sorted in place
double uniform_distance(std::vector<double>& values);

}  // namespace rootdk::stats
