#include <rootdk/stats/test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace rootdk::stats {
namespace {

void require_budget(const Budget& budget) {
  const auto rate = [](double p, const char* what) {
    if (!(p > 0 && p < 1)) {
      throw std::invalid_argument(fmt::format("samples: {} is {}, must lie in (0, 1)", what, p));
    }
  };
  rate(budget.alpha, "alpha");
  rate(budget.beta, "beta");
  if (!(budget.delta > 0)) {
    throw std::invalid_argument(
        fmt::format("samples: delta is {}, must be positive", budget.delta));
  }
  if (!(budget.bias >= 0 && budget.bias < budget.delta)) {
    throw std::invalid_argument(
        fmt::format("samples: bias is {}, must lie in [0, delta)", budget.bias));
  }
}

/// The critical values, moved outwards by the known bias of the statement.
Interval biased_critical(const Law& law, double nu, const Budget& budget) {
  Interval limits = critical(law, nu, budget.alpha / 2);
  limits.low *= 1 - budget.bias;
  limits.high *= 1 + budget.bias;
  return limits;
}

bool limits_meet(const Law& law, double nu, const Budget& budget) {
  if (law.kind == LawKind::bound) return true;
  const Interval limits = biased_critical(law, nu, budget);
  return tails(law, nu, limits.high, budget.delta).lower <= budget.beta &&
         tails(law, nu, limits.low, -budget.delta).upper <= budget.beta;
}

}  // namespace

// Two-sided; a known bias of the statement moves both sides outwards.
double p_value(const Law& law, const Evidence& evidence, const Budget& budget) {
  if (!(evidence.nu > 0)) return 1;
  if (!std::isfinite(evidence.x)) return 0;
  if (law.kind == LawKind::bound) return evidence.x <= 1 ? 1 : 0;
  const double lower = tails(law, evidence.nu, evidence.x, -budget.bias).lower;
  const double upper = tails(law, evidence.nu, evidence.x, budget.bias).upper;
  return std::min(1.0, 2 * std::min(lower, upper));
}

bool refutes(const Law& law, const Evidence& evidence, const Budget& budget) {
  return p_value(law, evidence, budget) <= budget.alpha;
}

bool excludes_effect(const Law& law, const Evidence& evidence, const Budget& budget) {
  if (!(evidence.nu > 0) || !std::isfinite(evidence.x)) return false;
  if (law.kind == LawKind::bound) return evidence.x <= 1;
  return tails(law, evidence.nu, evidence.x, budget.delta).lower <= budget.beta &&
         tails(law, evidence.nu, evidence.x, -budget.delta).upper <= budget.beta;
}

Finding test(const Law& law, const Evidence& evidence, const Budget& budget) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nu = evidence.nu;
  const double x = evidence.x;
  Finding finding{.estimate = effect_estimate(law, nu, x),
                  .interval = {-infinity, infinity},
                  .p = p_value(law, evidence, budget),
                  .refuted = refutes(law, evidence, budget),
                  .equivalent = excludes_effect(law, evidence, budget)};
  finding.log10_p = finding.p > 0 ? std::log10(finding.p) : -infinity;
  if (!(nu > 0) || !std::isfinite(x)) return finding;
  if (finding.p == 0) finding.log10_p = log10_p(law, nu, x);
  finding.interval =
      law.kind == LawKind::bound ? Interval{0, x} : effect_interval(law, nu, x, budget.beta);
  return finding;
}

double samples(const Law& law, const Budget& budget) {
  require_budget(budget);
  if (law.kind == LawKind::bound) return 1;
  double high = 1;
  while (!limits_meet(law, high, budget)) {
    high *= 2;
    if (high > 1e13) {
      throw std::invalid_argument(
          fmt::format("samples: no sample size below 1e13 sees delta {}", budget.delta));
    }
  }
  double low = high / 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (limits_meet(law, middle, budget) ? high : low) = middle;
  }
  // A lattice law is not monotone in ν: step on until a stretch of sizes all hold.
  if (law.kind == LawKind::proportion || law.kind == LawKind::share) {
    constexpr int stretch = 32;
    for (int held = 0; held < stretch;) {
      held = limits_meet(law, high + held, budget) ? held + 1 : (high += held + 1, 0);
    }
  }
  return high;
}

double smallest_effect(const Law& law, double nu, double alpha, double beta) {
  if (law.kind == LawKind::bound) return 0;
  Budget budget{.alpha = alpha, .beta = beta, .delta = 1e-9};
  while (!limits_meet(law, nu, budget)) {
    budget.delta *= 2;
    if (budget.delta > 1e9) return std::numeric_limits<double>::infinity();
  }
  double low = budget.delta / 2;
  double high = budget.delta;
  for (int i = 0; i < 50; ++i) {
    budget.delta = (low + high) / 2;
    (limits_meet(law, nu, budget) ? high : low) = budget.delta;
  }
  return high;
}

double detection_probability(const Law& law, double nu, double effect, double alpha) {
  const Interval limits = critical(law, nu, alpha / 2);
  return std::min(
      1.0, tails(law, nu, limits.low, effect).lower + tails(law, nu, limits.high, effect).upper);
}

}  // namespace rootdk::stats
