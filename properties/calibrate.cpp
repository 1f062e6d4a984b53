#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/calibrate.hpp>
#include <rootdk/properties/parallel.hpp>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

namespace rootdk {
namespace {

using stats::Budget;
using stats::Evidence;
using stats::Law;
using stats::LawKind;
using stats::Plan;

/// A law from which evidence is drawn: the claim's with an effect, and tilted by θ. The evidence of
/// `moment` is made of squared normals, (z² − 1)/√2, whose sum is known exactly.
struct Source {
  Law law;
  double effect = 0;

  /// One increment of ν more samples.
  double draw(Stream& stream, double nu, double tilt) const;
  /// ln(density without tilt/density with tilt) of a sum x of ν samples.
  double log_ratio(double nu, double x, double tilt) const;
  /// The tilt under which a sum of ν samples has its middle at x.
  double tilt_to(double nu, double x) const;
};

double gamma_sum(Stream& stream, double nu) {
  return 2 * boost::random::gamma_distribution<double>(nu / 2)(stream);
}

double success(const Law& law, double effect) { return law.p0 + effect * law.unit; }

double Source::draw(Stream& stream, double nu, double tilt) const {
  switch (law.kind) {
    case LawKind::scale:
      return tilt * (1 + effect) * gamma_sum(stream, nu);
    case LawKind::moment:
      // Mean shifted by the effect; the tilt scales the squares.
      return (tilt * gamma_sum(stream, nu) - nu) / std::numbers::sqrt2 + nu * effect;
    case LawKind::proportion:
      return static_cast<double>(boost::random::binomial_distribution<std::int64_t>(
          static_cast<std::int64_t>(nu), tilt)(stream));
    case LawKind::extreme:
      // tilt a: the maximum of `a` instead of ν uniform values.
      return (1 + effect) * std::pow(boost::random::uniform_01<double>()(stream), 1 / tilt);
    default:
      return boost::random::normal_distribution<double>(nu * (effect + tilt),
                                                        std::sqrt(nu))(stream);
  }
}

double Source::log_ratio(double nu, double x, double tilt) const {
  switch (law.kind) {
    case LawKind::scale:
      return nu / 2 * std::log(tilt) - x / (2 * (1 + effect)) * (1 - 1 / tilt);
    case LawKind::moment: {
      const double squares = (x - nu * effect) * std::numbers::sqrt2 + nu;
      return nu / 2 * std::log(tilt) - squares / 2 * (1 - 1 / tilt);
    }
    case LawKind::proportion: {
      const double p = success(law, effect);
      return x * std::log(p / tilt) + (nu - x) * std::log((1 - p) / (1 - tilt));
    }
    case LawKind::extreme:
      return std::log(nu / tilt) + (nu - tilt) * std::log(x / (1 + effect));
    default:
      return -tilt * (x - nu * effect) + nu * tilt * tilt / 2;
  }
}

double Source::tilt_to(double nu, double x) const {
  switch (law.kind) {
    case LawKind::scale:
      return x / (nu * (1 + effect));
    case LawKind::moment:
      return std::max(1e-3, 1 + (x / nu - effect) * std::numbers::sqrt2);
    case LawKind::proportion:
      return std::clamp(x / nu, 0.5 / nu, 1 - 0.5 / nu);
    case LawKind::extreme: {
      // Median of the maximum of a values at x: (x/(1 + e))^a = ½.
      const double scaled = x / (1 + effect);
      return scaled < 1 ? -std::numbers::ln2 / std::log(scaled) : nu;
    }
    default:
      return x / nu - effect;
  }
}

/// Where the lower tail under +δ, or the upper tail under −δ, reaches β.
double equivalence_boundary(const Law& law, double nu, double effect, double beta) {
  stats::Interval wide = stats::critical(law, nu, 1e-300);
  // A charged normal law promises no level so small; its boundary lies within one standard deviation
  // of a value on average.
  if (!std::isfinite(wide.low) || !std::isfinite(wide.high)) wide = {-nu, nu};
  double low = wide.low - 0.5 * std::abs(wide.low);
  double high = wide.high + 2 * std::abs(wide.high - wide.low) + 2 * nu * std::abs(effect);
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    const stats::Tails both = stats::tails(law, nu, middle, effect);
    const bool below = effect > 0 ? both.lower <= beta : both.upper > beta;
    (below ? low : high) = middle;
  }
  return (low + high) / 2;
}

enum class Event : std::uint8_t { refuted, verified };

/// The tilts that lead to the boundary of the event at each look.
std::vector<double> tilts(const Source& source, const Plan& plan, Event event) {
  std::vector<double> result;
  for (const double nu : plan.looks) {
    if (event == Event::refuted) {
      const stats::Interval limits = stats::critical(plan.law, nu, plan.per_look.alpha / 2);
      result.push_back(source.tilt_to(nu, limits.low));
      result.push_back(source.tilt_to(nu, limits.high));
    } else {
      result.push_back(source.tilt_to(
          nu, equivalence_boundary(plan.law, nu, source.effect, plan.per_look.beta)));
    }
  }
  return result;
}

/// Draws increments look by look until a decision; the weight, if the decision is the event.
double weighted_event(const Source& source, const Plan& plan, Event event,
                      const std::vector<double>& mixture, Stream& stream) {
  const double tilt = mixture[stream() % mixture.size()];
  Evidence evidence;
  for (std::size_t k = 0; k < plan.looks.size(); ++k) {
    const double step = plan.looks[k] - evidence.nu;
    evidence.x += source.draw(stream, step, tilt);
    evidence.nu = plan.looks[k];
    const bool refuted = stats::refutes(plan.law, evidence, plan.per_look);
    const bool verified = !refuted && stats::excludes_effect(plan.law, evidence, plan.per_look);
    if (!refuted && !verified) continue;
    if (refuted != (event == Event::refuted)) return 0;
    double density = 0;
    for (const double other : mixture) {
      density += std::exp(-source.log_ratio(evidence.nu, evidence.x, other));
    }
    return static_cast<double>(mixture.size()) / density;
  }
  return 0;
}

struct Mean {
  double value = 0;
  double standard_error = 0;
};

Mean mean_of(std::size_t draws, const std::function<double()>& draw) {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(draws);
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
}

Mean measure(const Source& source, const Plan& plan, Event event, std::size_t draws,
             Stream& stream) {
  const std::vector<double> mixture = tilts(source, plan, event);
  return mean_of(draws, [&] { return weighted_event(source, plan, event, mixture, stream); });
}

struct Family {
  std::string name;
  bool exact;
  Law law;
  bool looks;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"scale", true, stats::scale(), false},
      {"scale, 10 looks", false, stats::scale(), true},
      {"location", true, stats::location(), false},
      {"location, 10 looks", false, stats::location(), true},
      {"extreme", true, stats::extreme(), false},
      {"proportion ½", false, stats::proportion(0.5), false},
      {"proportion 0.01", false, stats::proportion(0.01), false},
      {"moment of squared normals", false, stats::moment(std::sqrt(8.0), 12), false},
      {"shape", false, stats::shape(), false},
  };
  return all;
}

Plan plan_of(const Family& family, const Budget& budget) {
  Plan plan = stats::make_plan(family.law, budget, 0);
  if (family.looks) return plan;
  plan.looks = {stats::samples(family.law, budget)};
  plan.per_look = budget;
  return plan;
}

/// The natural tilt: none.
double no_tilt(const Family& family, double nu) {
  switch (family.law.kind) {
    case LawKind::scale:
    case LawKind::moment:
      return 1;
    case LawKind::proportion:
      return family.law.p0;
    case LawKind::extreme:
      return nu;
    default:
      return 0;
  }
}

// ---- DKW: values, not a sum ----

/// sup |F_n − F| of n values, each below t with probability q instead of t.
double tilted_distance(Stream& stream, std::size_t n, double t, double q, std::size_t& below,
                       std::vector<double>& values) {
  boost::random::uniform_01<double> uniform;
  below = 0;
  values.resize(n);
  for (double& value : values) {
    const bool left = uniform(stream) < q;
    below += left ? 1 : 0;
    value = left ? t * uniform(stream) : t + (1 - t) * uniform(stream);
  }
  return stats::uniform_distance(values);
}

/// α of the DKW test at n values. The path is led across the boundary at one of many places t, in
/// both directions; the weight is that of the whole mixture, each part a ratio of two binomials.
Mean measure_shape(const Budget& budget, std::size_t n, std::size_t draws, Stream& stream) {
  const double distance =
      stats::critical(stats::shape(), static_cast<double>(n), budget.alpha / 2).high;
  struct Lead {
    double t, q;
  };
  std::vector<Lead> leads;
  constexpr int places = 40;
  for (int i = 1; i < places; ++i) {
    const double t = static_cast<double>(i) / places;
    if (t + distance < 1) leads.push_back({t, t + distance});
    if (t - distance > 0) leads.push_back({t, t - distance});
  }
  std::vector<double> values;
  return mean_of(draws, [&] {
    const Lead lead = leads[stream() % leads.size()];
    std::size_t below = 0;
    const double seen = tilted_distance(stream, n, lead.t, lead.q, below, values);
    if (!stats::refutes(stats::shape(), {.nu = static_cast<double>(n), .x = seen}, budget)) {
      return 0.0;
    }
    double density = 0;
    for (const Lead& other : leads) {
      const auto k =
          static_cast<double>(std::ranges::lower_bound(values, other.t) - values.begin());
      density += std::exp(k * std::log(other.q / other.t) +
                          (static_cast<double>(n) - k) * std::log((1 - other.q) / (1 - other.t)));
    }
    return static_cast<double>(leads.size()) / density;
  });
}

/// β of the DKW test for a law that has mass t + δ below t = ½ − δ/2.
Mean measure_shape_miss(const Budget& budget, std::size_t n, std::size_t draws, Stream& stream) {
  const double t = (1 - budget.delta) / 2;
  const double q = t + budget.delta;
  // Led to where the distance at t alone is what the test still takes for no effect.
  const double limit =
      equivalence_boundary(stats::shape(), static_cast<double>(n), budget.delta, budget.beta);
  const double led = t + limit;
  std::vector<double> values;
  return mean_of(draws, [&] {
    std::size_t below = 0;
    const double seen = tilted_distance(stream, n, t, led, below, values);
    if (!stats::excludes_effect(stats::shape(), {.nu = static_cast<double>(n), .x = seen},
                                budget)) {
      return 0.0;
    }
    const auto k = static_cast<double>(below);
    return std::exp(k * std::log(q / led) +
                    (static_cast<double>(n) - k) * std::log((1 - q) / (1 - led)));
  });
}

// ---- p-values ----

/// Largest excess of the empirical distribution of p over the uniform law; in both directions if
/// the law is exact.
double p_distance(const Family& family, const Plan& plan, std::size_t runs, Stream& stream) {
  const double nu = plan.looks.back();
  const Source source{.law = family.law};
  std::vector<double> p(runs);
  std::vector<double> values;
  // Sorting tens of thousands of values a run would take minutes: p of DKW is checked at fewer.
  constexpr std::size_t shape_values = 100;
  for (double& value : p) {
    Evidence evidence{.nu = nu};
    if (family.law.kind == LawKind::shape) {
      std::size_t below = 0;
      evidence = {.nu = shape_values,
                  .x = tilted_distance(stream, shape_values, 0.5, 0.5, below, values)};
    } else {
      evidence.x = source.draw(stream, nu, no_tilt(family, nu));
    }
    value = stats::p_value(family.law, evidence, plan.budget);
  }
  std::ranges::sort(p);
  double distance = 0;
  for (std::size_t i = 0; i < runs; ++i) {
    const auto n = static_cast<double>(runs);
    distance = std::max(distance, static_cast<double>(i + 1) / n - p[i]);
    if (family.exact) distance = std::max(distance, p[i] - static_cast<double>(i) / n);
  }
  return distance;
}

FamilyCalibration calibrate_family(const Family& family, const CalibrationSettings& settings) {
  Stream stream(
      Address{.seed = settings.seed, .claim = hash("calibrate"), .role = hash(family.name)});
  const Budget budget{.alpha = settings.alpha, .beta = settings.beta, .delta = settings.delta};
  const Plan plan = plan_of(family, budget);
  FamilyCalibration result{.family = family.name,
                           .exact = family.exact,
                           .nu = plan.nu_planned(),
                           .alpha = {.declared = settings.alpha},
                           .beta = {.declared = settings.beta},
                           .p_runs = static_cast<double>(settings.p_runs)};
  Mean alpha;
  Mean beta;
  if (family.law.kind == LawKind::shape) {
    // At a smaller size than planned: the bound does not depend on it, and sorting costs.
    constexpr std::size_t n = 400;
    constexpr std::size_t fewer = 10;
    Budget wide = budget;
    wide.delta = stats::smallest_effect(family.law, n, budget.alpha, budget.beta);
    result.nu = n;
    alpha = measure_shape(wide, n, settings.draws / fewer, stream);
    beta = measure_shape_miss(wide, n, settings.draws / fewer, stream);
  } else {
    alpha = measure({family.law}, plan, Event::refuted, settings.draws, stream);
    for (const double effect : {settings.delta, -settings.delta}) {
      const Mean miss =
          measure({family.law, effect}, plan, Event::verified, settings.draws / 2, stream);
      if (miss.value >= beta.value) beta = miss;
    }
  }
  result.alpha.measured = alpha.value;
  result.alpha.standard_error = alpha.standard_error;
  result.beta.measured = beta.value;
  result.beta.standard_error = beta.standard_error;
  result.p_distance = p_distance(family, plan, settings.p_runs, stream);
  constexpr double p_alpha = 1e-6;
  result.p_limit = std::sqrt(std::log(2 / p_alpha) / (2 * result.p_runs));
  // A maximum is planned for its lower side; at that size the other misses far less than β.
  result.exact_beta = family.exact && family.law.kind != LawKind::extreme;
  const auto agrees = [](const Rate& rate, bool exact) {
    const double ratio = rate.measured / rate.declared;
    return ratio <= 1.1 && (!exact || ratio >= 0.9);
  };
  result.good = agrees(result.alpha, result.exact) && agrees(result.beta, result.exact_beta) &&
                result.p_distance <= result.p_limit;
  return result;
}

}  // namespace

std::vector<FamilyCalibration> calibrate(const CalibrationSettings& settings, std::size_t jobs) {
  std::vector<FamilyCalibration> result(families().size());
  const std::atomic<bool> stop{false};
  parallel_for(
      result.size(), jobs, stop,
      [&](std::size_t i) { result[i] = calibrate_family(families()[i], settings); },
      [](std::size_t) {});
  return result;
}

}  // namespace rootdk
