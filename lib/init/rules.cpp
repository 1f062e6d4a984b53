#include <rootdk/lib/init/rules.hpp>
#include <rootdk/lib/random/draws.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace rootdk {
namespace {

using S = InitSettings;

double lecun(const S& s) { return 1 / s.fan_in; }
double glorot(const S& s) { return 2 / (s.fan_in + s.fan_out); }
double he(const S& s) { return 2 / ((1 + s.slope * s.slope) * s.fan_in); }
double he_fan_out(const S& s) { return 2 / ((1 + s.slope * s.slope) * s.fan_out); }
double haar(const S& s) { return 1 / std::max(s.fan_in, s.fan_out); }
double gpt2(const S&) { return 0.02 * 0.02; }
double gpt2_residual(const S& s) { return 0.02 * 0.02 / (2 * s.branches); }
double absorbed_query(const S& s) { return 1 / (s.fan_in * s.d_k); }
double small_init(const S& s) { return 2 / (5 * s.fan_in); }
double pytorch_linear(const S& s) { return 1 / (3 * s.fan_in); }

constexpr std::array kInitialisers{
    Initialiser{"absorbed_query", EntryLaw::normal, true, false, R"(1/(n_{in} d_k))",
                absorbed_query},
    Initialiser{"glorot_normal", EntryLaw::normal, true, true, R"(2/(n_{in}+n_{out}))", glorot},
    Initialiser{"glorot_uniform", EntryLaw::uniform, true, true, R"(2/(n_{in}+n_{out}))", glorot},
    Initialiser{"gpt2", EntryLaw::normal, false, false, R"(0.02^2)", gpt2},
    Initialiser{"gpt2_residual", EntryLaw::normal, false, false, R"(0.02^2/(2N))", gpt2_residual},
    Initialiser{"he_normal", EntryLaw::normal, true, false, R"(2/((1+a^2)\,n_{in}))", he},
    Initialiser{"he_normal_fan_out", EntryLaw::normal, false, true, R"(2/((1+a^2)\,n_{out}))",
                he_fan_out},
    Initialiser{"he_uniform", EntryLaw::uniform, true, false, R"(2/((1+a^2)\,n_{in}))", he},
    Initialiser{"lecun_normal", EntryLaw::normal, true, false, R"(1/n_{in})", lecun},
    Initialiser{"lecun_truncated", EntryLaw::truncated_normal, true, false, R"(1/n_{in})", lecun},
    Initialiser{"lecun_uniform", EntryLaw::uniform, true, false, R"(1/n_{in})", lecun},
    Initialiser{"orthogonal", EntryLaw::orthogonal, true, true, R"(1/\max(n_{in},n_{out}))", haar},
    Initialiser{"pytorch_linear", EntryLaw::uniform, true, false, R"(1/(3\,n_{in}))",
                pytorch_linear},
    Initialiser{"small_init", EntryLaw::normal, true, false, R"(2/(5\,n_{in}))", small_init},
};

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

/// Probability that N(0, 1) lies within ±c.
double normal_mass(double c) { return std::erf(c / std::numbers::sqrt2); }

}  // namespace

std::span<const Initialiser> initialisers() { return kInitialisers; }

const Initialiser& initialiser(std::string_view name) {
  const auto found = std::ranges::find(kInitialisers, name, &Initialiser::name);
  if (found == kInitialisers.end()) {
    throw std::invalid_argument(fmt::format("initialiser: there is no '{}'", name));
  }
  return *found;
}

double entry_variance(const Initialiser& rule, const InitSettings& settings) {
  return settings.gain * settings.gain * rule.unit_gain_variance(settings);
}

double truncated_variance(double c) { return 1 - 2 * c * normal_density(c) / normal_mass(c); }

double truncated_kurtosis(double c) {
  // E z⁴ of the cut law by parts: 3 E z² − 2c³φ(c)/mass, and E z² is the variance.
  const double second = truncated_variance(c);
  const double fourth = 3 * second - 2 * c * c * c * normal_density(c) / normal_mass(c);
  return fourth / (second * second);
}

double entry_kurtosis(const Initialiser& rule, const InitSettings& settings) {
  switch (rule.law) {
    case EntryLaw::normal:
      return 3;
    case EntryLaw::uniform:
      return 1.8;
    case EntryLaw::truncated_normal:
      return truncated_kurtosis(kTruncation);
    case EntryLaw::orthogonal: {
      const double n = std::max(settings.fan_in, settings.fan_out);
      return 3 * n / (n + 2);
    }
  }
  return 0;
}

double entry_bound(const Initialiser& rule, const InitSettings& settings) {
  const double sd = std::sqrt(entry_variance(rule, settings));
  switch (rule.law) {
    case EntryLaw::normal:
      return std::numeric_limits<double>::infinity();
    case EntryLaw::uniform:
      return std::numbers::sqrt3 * sd;
    case EntryLaw::truncated_normal:
      return kTruncation * sd / std::sqrt(truncated_variance(kTruncation));
    case EntryLaw::orthogonal:
      return settings.gain;
  }
  return 0;
}

double entry_cdf(const Initialiser& rule, const InitSettings& settings, double w) {
  const double sd = std::sqrt(entry_variance(rule, settings));
  // erfc of the tail towards which w lies: no difference of nearly equal numbers.
  const auto normal_cdf = [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; };
  const double bound = entry_bound(rule, settings);
  switch (rule.law) {
    case EntryLaw::normal:
      return normal_cdf(w / sd);
    case EntryLaw::uniform:
      return std::clamp((1 + w / bound) / 2, 0.0, 1.0);
    case EntryLaw::truncated_normal: {
      const double parent = bound / kTruncation;
      const double below = normal_cdf(w / parent) - normal_cdf(-kTruncation);
      return std::clamp(below / normal_mass(kTruncation), 0.0, 1.0);
    }
    case EntryLaw::orthogonal:
      break;
  }
  throw std::invalid_argument(fmt::format("entry_cdf: '{}' has dependent entries", rule.name));
}

double entry_density(const Initialiser& rule, const InitSettings& settings, double w) {
  const double bound = entry_bound(rule, settings);
  const double sd = std::sqrt(entry_variance(rule, settings));
  switch (rule.law) {
    case EntryLaw::normal:
      return normal_density(w / sd) / sd;
    case EntryLaw::uniform:
      return std::abs(w) < bound ? 1 / (2 * bound) : 0;
    case EntryLaw::truncated_normal: {
      const double parent = bound / kTruncation;
      return std::abs(w) < bound ? normal_density(w / parent) / (parent * normal_mass(kTruncation))
                                 : 0;
    }
    case EntryLaw::orthogonal:
      break;
  }
  throw std::invalid_argument(fmt::format("entry_density: '{}' has dependent entries", rule.name));
}

double entry_moment(const Initialiser& rule, int order) {
  if (rule.law == EntryLaw::orthogonal) {
    throw std::invalid_argument(fmt::format("entry_moment: '{}' has dependent entries", rule.name));
  }
  if (order % 2 != 0) return 0;
  if (rule.law == EntryLaw::uniform) return std::pow(3.0, order / 2) / (order + 1);
  const bool cut = rule.law == EntryLaw::truncated_normal;
  const double edge = cut ? 2 * normal_density(kTruncation) / normal_mass(kTruncation) : 0;
  double moment = 1;
  for (int k = 2; k <= order; k += 2) {
    moment = (k - 1) * moment - edge * std::pow(kTruncation, k - 1);
  }
  return cut ? moment / std::pow(truncated_variance(kTruncation), order / 2) : moment;
}

}  // namespace rootdk
