#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/lib/init/orthogonal.hpp>
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

void require_positive(double value, std::string_view what) {
  if (!(value > 0)) {
    throw std::invalid_argument(fmt::format("initialise: {} is {}, must be positive", what, value));
  }
}

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

template <class T>
void initialise(const Initialiser& rule, const InitSettings& settings, Stream& stream,
                MatrixRef<T> w) {
  require_positive(settings.fan_in, "fan_in");
  require_positive(settings.fan_out, "fan_out");
  require_positive(settings.gain, "gain");
  require_positive(settings.d_k, "d_k");
  require_positive(settings.branches, "branches");
  if (rule.law == EntryLaw::orthogonal) return fill_orthogonal<T>(stream, settings.gain, w);

  const double sd = std::sqrt(entry_variance(rule, settings));
  const double bound = entry_bound(rule, settings);
  for (Eigen::Index i = 0; i < w.rows(); ++i) {
    const std::span<T> row(&w(i, 0), static_cast<std::size_t>(w.cols()));
    switch (rule.law) {
      case EntryLaw::normal:
        fill_normal<T>(stream, row, 0, sd);
        break;
      case EntryLaw::uniform:
        fill_uniform<T>(stream, row, bound);
        break;
      default:
        fill_truncated_normal<T>(stream, row, bound / kTruncation);
    }
  }
}

template void initialise<double>(const Initialiser&, const InitSettings&, Stream&,
                                 MatrixRef<double>);
template void initialise<float>(const Initialiser&, const InitSettings&, Stream&, MatrixRef<float>);

}  // namespace rootdk
