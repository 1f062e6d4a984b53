#include <rootdk/properties/mean_field.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace rootdk {
namespace {

constexpr double kSeluScale = 1.0507009873554804934;
constexpr double kSeluAlpha = 1.6732632423543772848;

double logistic(double z) { return 1 / (1 + std::exp(-z)); }
double normal_cdf(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
double normal_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

[[noreturn]] void unknown(std::string_view activation) {
  throw std::invalid_argument(fmt::format("mean field: no formula for '{}'", activation));
}

// Every formula here is smooth but at 0.
constexpr std::array kKink{0.0};

using Formula = double (*)(std::string_view, double, double);

/// Moments of formula(√q z)². Five adaptive integrals: kept, since a check asks for them again in
/// each configuration and block.
stats::Cumulants square_of(Formula formula, std::string_view f, double q, double slope) {
  using Key = std::tuple<Formula, std::string, double, double>;
  static std::map<Key, stats::Cumulants> kept;
  static std::mutex mutex;
  const Key key{formula, std::string(f), q, slope};
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = kept.find(key); found != kept.end()) return found->second;
  }
  const double root = std::sqrt(q);
  const auto square = [&](double z) {
    const double y = formula(f, root * z, slope);
    return y * y;
  };
  const stats::Cumulants made = stats::normal_cumulants(square, kKink);
  const std::scoped_lock lock(mutex);
  return kept.emplace(key, made).first->second;
}

}  // namespace

double textbook_activation(std::string_view f, double z, double slope) {
  if (f == "identity") return z;
  if (f == "relu") return z > 0 ? z : 0;
  if (f == "leaky_relu") return z > 0 ? z : slope * z;
  if (f == "tanh") return std::tanh(z);
  if (f == "sigmoid") return logistic(z);
  if (f == "silu") return z * logistic(z);
  if (f == "gelu") return z * normal_cdf(z);
  if (f == "selu") return kSeluScale * (z > 0 ? z : kSeluAlpha * std::expm1(z));
  unknown(f);
}

double textbook_slope(std::string_view f, double z, double slope) {
  if (f == "identity") return 1;
  if (f == "relu") return z > 0 ? 1 : 0;
  if (f == "leaky_relu") return z > 0 ? 1 : slope;
  if (f == "tanh") return 1 / (std::cosh(z) * std::cosh(z));
  if (f == "sigmoid") return logistic(z) * logistic(-z);
  if (f == "silu") return logistic(z) + z * logistic(z) * logistic(-z);
  if (f == "gelu") return normal_cdf(z) + z * normal_density(z);
  if (f == "selu") return kSeluScale * (z > 0 ? 1 : kSeluAlpha * std::exp(z));
  unknown(f);
}

stats::Cumulants activation_square(std::string_view f, double q, double slope) {
  return square_of(textbook_activation, f, q, slope);
}

stats::Cumulants slope_square(std::string_view f, double q, double slope) {
  return square_of(textbook_slope, f, q, slope);
}

double trapezoidal_expectation(const std::function<double(double)>& g) {
  constexpr double step = 0.125;
  constexpr int steps = 72;  // to ±9, beyond which 2e−19 of the mass lies
  double sum = 0;
  for (int k = -steps; k <= steps; ++k) sum += g(step * k) * normal_density(step * k);
  return sum * step;
}

double squared_norm(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

Tensor pre_activations(Block& block, std::int64_t n_in, std::int64_t width, double q, double gain) {
  const Tensor x = block.normal("x", 1, n_in);
  multiply(x, std::sqrt(q * static_cast<double>(n_in) / squared_norm(block.values(x))));
  const Tensor w = block.matrix(n_in, width);
  block.forward("init", {.initialiser = "lecun_normal", .gain = gain, .seed = block.seed("W")}, {},
                {w});
  const Tensor z = block.matrix(1, width);
  block.forward("linear", {}, {x, w}, {z});
  return z;
}

void standardised_squares(Block& block, std::string_view check, const Tensor& values,
                          const stats::Cumulants& moments) {
  const std::span<const double> seen = block.values(values);
  std::vector<double> result(seen.begin(), seen.end());
  for (double& v : result) v = (v * v - moments.mean) / moments.sd;
  block.standardised(check, stats::Independent{result});
}

}  // namespace rootdk
