#pragma once

#include <rootdk/stats/test.hpp>

#include <cstddef>
#include <vector>

namespace rootdk::stats {

/// Greatest number of looks at growing evidence.
inline constexpr std::size_t kMaxLooks = 10;

/// What is decided before anything is drawn.
struct Plan {
  Law law;
  Budget budget;              ///< of all looks together
  std::vector<double> looks;  ///< ν at each look, growing by √2; the last is forced
  Budget per_look;            ///< α and β divided by the number of looks

  double nu_first() const { return looks.front(); }
  double nu_planned() const { return looks.back(); }
};

/// Looks at ν_max·√2^−(K−k), ν_max = samples at (α/K, β/K, δ), K the greatest number ≤ kMaxLooks
/// whose first look still has ν_first samples. If even one look would be smaller than ν_first, that
/// look is enlarged to it.
///
/// Guarantee: over all looks (a) and (b) of `test` hold at α and β, by the union bound.
Plan make_plan(const Law& law, const Budget& budget, double nu_first);

enum class Decision : std::uint8_t { go_on, verified, refuted, undecided };

struct LookResult {
  Decision decision = Decision::go_on;
  Finding finding;
};

/// Judges the evidence of look number `look`; where both could be said, refuted wins.
LookResult judge(const Plan& plan, const Evidence& evidence, std::size_t look);

}  // namespace rootdk::stats
