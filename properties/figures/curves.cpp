#include <rootdk/properties/figures/curves.hpp>
#include <rootdk/stats/distributions.hpp>

#include <cmath>

namespace rootdk::figures_of {

double reach() { return stats::normal_upper_quantile(0.005); }

void on_blocks(std::string_view figure, const Subject& subject, Dtype dtype, std::uint64_t seed,
               std::uint64_t blocks, const std::function<void(Block&)>& draw) {
  const Configuration none;
  Workspace workspace;
  std::vector<CheckEvidence> evidence;
  for (std::uint64_t number = 0; number < blocks; ++number) {
    Block block(none, subject, {.seed = seed, .claim = hash(figure), .block = number}, dtype, {},
                workspace, evidence);
    draw(block);
  }
}

double mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum / static_cast<double>(values.size());
}

void append_mean(reports::SeriesRecord& series, double x, const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  double squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  const double error = reach() * std::sqrt(squares / (n - 1) / n);
  series.x.push_back(x);
  series.y.push_back(sum / n);
  series.low.push_back(sum / n - error);
  series.high.push_back(sum / n + error);
}

}  // namespace rootdk::figures_of
