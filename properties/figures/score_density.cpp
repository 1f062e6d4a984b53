#include <rootdk/properties/figures/curves.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace rootdk::figures_of {
namespace {

/// Density of q·k/√d at x. Given q the score is N(0, ‖q‖²/d), and ‖q‖² = t ~ χ²(d).
double density(double x, double d) {
  const auto integrand = [x, d](double t) {
    const double log_chi =
        (d / 2 - 1) * std::log(t) - t / 2 - d / 2 * std::numbers::ln2 - stats::log_gamma(d / 2);
    return std::exp(log_chi - x * x * d / (2 * t)) / std::sqrt(2 * std::numbers::pi * t / d);
  };
  return stats::integrate(integrand, stats::chi_squared_lower_quantile(d, 1e-12),
                          stats::chi_squared_upper_quantile(d, 1e-12))
      .value;
}

}  // namespace

Curves score_density(const Subject& subject, Dtype dtype, std::uint64_t seed) {
  constexpr std::int64_t pairs = 20000;
  constexpr int bins = 40;
  constexpr double limit = 4;
  constexpr double width = 2 * limit / bins;
  Curves result;
  for (const std::int64_t d : {2, 64}) {
    std::array<double, bins> counts{};
    on_blocks(fmt::format("figure.score.{}", d), subject, dtype, seed, 1, [&](Block& block) {
      const Tensor q = block.normal("Q", {pairs, 1, 1, d});
      const Tensor k = block.normal("K", {pairs, 1, 1, d});
      const Tensor s = block.tensor({pairs, 1, 1, 1});
      block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
      for (const double score : block.values(s)) {
        const double bin = std::floor((score + limit) / width);
        if (bin >= 0 && bin < bins) counts[static_cast<std::size_t>(bin)] += 1;
      }
    });
    const auto series = [&](const char* curve) {
      return reports::SeriesRecord{.name = fmt::format("score density | d_k = {} | {}", d, curve),
                                   .x_label = "scaled score",
                                   .y_label = "density"};
    };
    reports::SeriesRecord observed = series("observed");
    reports::SeriesRecord exact = series("exact");
    reports::SeriesRecord normal = series("normal");
    for (int i = 0; i < bins; ++i) {
      const double x = -limit + (i + 0.5) * width;
      const double p = counts[static_cast<std::size_t>(i)] / pairs;
      const double error = reach() * std::sqrt(p * (1 - p) / pairs) / width;
      observed.x.push_back(x);
      observed.y.push_back(p / width);
      observed.low.push_back(p / width - error);
      observed.high.push_back(p / width + error);
      exact.x.push_back(x);
      exact.y.push_back(density(x, static_cast<double>(d)));
      normal.x.push_back(x);
      normal.y.push_back(std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
    }
    result.insert(result.end(), {observed, exact, normal});
  }
  return result;
}

}  // namespace rootdk::figures_of
