#include <rootdk/stats/test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

Finding test(const Law& law, const Evidence& evidence, const Budget& budget) {
  const double nu = evidence.nu;
  const double x = evidence.x;
  Finding finding{.estimate = effect_estimate(law, nu, x)};
  if (!std::isfinite(x) || !(nu > 0)) {
    finding.refuted = nu > 0;
    finding.p = finding.refuted ? 0 : 1;
    finding.log10_p = finding.refuted ? -std::numeric_limits<double>::infinity() : 0;
    finding.interval = {-std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::infinity()};
    return finding;
  }
  if (law.kind == LawKind::bound) {
    finding.refuted = !(x <= 1);
    finding.equivalent = !finding.refuted;
    finding.p = finding.refuted ? 0 : 1;
    finding.log10_p = log10_p(law, nu, x);
    finding.interval = {0, x};
    return finding;
  }
  const Tails low_side = tails(law, nu, x, -budget.bias);
  const Tails high_side = tails(law, nu, x, budget.bias);
  finding.p = std::min(1.0, 2 * std::min(low_side.lower, high_side.upper));
  finding.log10_p = budget.bias > 0 && finding.p > 0 ? std::log10(finding.p) : log10_p(law, nu, x);
  finding.refuted = finding.p <= budget.alpha;
  finding.interval = effect_interval(law, nu, x, budget.beta);
  finding.equivalent = tails(law, nu, x, budget.delta).lower <= budget.beta &&
                       tails(law, nu, x, -budget.delta).upper <= budget.beta;
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
