#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// What the initialisers promise, without a matrix: laws, fan rules, exact moments.

namespace rootdk {

/// The law of one entry of an initialised matrix.
enum class EntryLaw : std::uint8_t { normal, uniform, truncated_normal, orthogonal };

/// What an initialiser may depend on. W is stored [fan_in, fan_out] and used as y = x W.
struct InitSettings {
  double fan_in = 1;
  double fan_out = 1;
  double gain = 1;      ///< multiplies the standard deviation
  double slope = 0;     ///< negative slope a of leaky ReLU (He rules)
  double d_k = 1;       ///< width of one head (absorbed_query)
  double branches = 1;  ///< number N of transformer blocks (gpt2_residual): 2N residual additions
};

/// One initialiser: its entry law and the exact variance of an entry.
struct Initialiser {
  std::string_view name;
  EntryLaw law;
  bool depends_on_fan_in;
  bool depends_on_fan_out;
  std::string_view formula;  ///< variance at gain 1, as LaTeX
  double (*unit_gain_variance)(const InitSettings&);
};

/// All initialisers, in alphabetical order of the families they belong to.
std::span<const Initialiser> initialisers();

/// The initialiser of that name.
///
/// @throws std::invalid_argument if there is none, naming it
const Initialiser& initialiser(std::string_view name);

/// Exact variance of one entry: gain² times the rule's value.
double entry_variance(const Initialiser& rule, const InitSettings& settings);

/// Exact kurtosis E w⁴/(E w²)² of one entry: 3, 1.8, 2.3655 or 3n/(n+2), n = max(fan_in, fan_out).
double entry_kurtosis(const Initialiser& rule, const InitSettings& settings);

/// Largest absolute value an entry can approach; infinite for a normal law, the gain for
/// orthogonal.
double entry_bound(const Initialiser& rule, const InitSettings& settings);

/// Probability P(W ≤ w) of one entry, by erf; in the tails its absolute error is below 1e−16.
///
/// Orthogonal entries follow a Beta law; their claims state it themselves.
///
/// @throws std::invalid_argument for an orthogonal rule
double entry_cdf(const Initialiser& rule, const InitSettings& settings, double w);

/// Density of one entry at w, inside the bound.
///
/// @throws std::invalid_argument for an orthogonal rule
double entry_density(const Initialiser& rule, const InitSettings& settings, double w);

/// Moment E (w/σ)^order of one entry, 0 for an odd order.
///
/// Normal: 1·3·5…; uniform: 3^(k/2)/(k + 1); truncated: by parts, E z^k = (k − 1) E z^(k−2) −
/// 2c^(k−1)φ(c)/mass.
///
/// @throws std::invalid_argument for an orthogonal rule
double entry_moment(const Initialiser& rule, int order);

/// Variance of N(0, 1) cut at ±c: 1 − 2cφ(c)/(2Φ(c) − 1); c = 2 gives 0.773741303550.
double truncated_variance(double c);

/// Kurtosis of N(0, 1) cut at ±c; c = 2 gives 2.3655.
double truncated_kurtosis(double c);

}  // namespace rootdk
