#pragma once

#include <rootdk/properties/block.hpp>
#include <rootdk/reports/record.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace rootdk::figures_of {

using Curves = std::vector<reports::SeriesRecord>;

/// Standard errors that hold 99 % of a normal law.
double reach();

/// Runs `draw` on independent blocks of the figure's own stream.
void on_blocks(std::string_view figure, const Subject& subject, Dtype dtype, std::uint64_t seed,
               std::uint64_t blocks, const std::function<void(Block&)>& draw);

double mean_square(std::span<const double> values);

/// The mean of independent values at x, with its interval.
void append_mean(reports::SeriesRecord& series, double x, const std::vector<double>& values);

/// The scaled score's histogram on its exact density and on the normal one.
Curves score_density(const Subject& subject, Dtype dtype, std::uint64_t seed);
/// Entropy of the softmax and the gradient at scores and query, against d_k, scaled and unscaled.
Curves attention(const Subject& subject, Dtype dtype, std::uint64_t seed);
/// Mean square of output and gradient against depth, for stacks with and without norms.
Curves depth(const Subject& subject, Dtype dtype, std::uint64_t seed);

}  // namespace rootdk::figures_of
