#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace rootdk::claims::scores::exponent {
namespace {

double width(const Configuration& at) { return std::stod(at.text("d_k")); }

double power(std::string_view divisor) {
  return divisor == "1" ? 0 : divisor == "cbrt d_k" ? 1.0 / 3 : divisor == "sqrt d_k" ? 0.5 : 1;
}

double divisor(std::string_view name, double d) {
  return name == "ln d_k" ? std::log(d) : std::pow(d, power(name));
}

double variance(const Configuration& at) {
  const double by = divisor(at.text("divisor"), width(at));
  return width(at) / (by * by);
}

/// S/d_k^p by the subject: its own √d_k, nothing, or a given factor.
void divided_scores(Block& block, std::string_view by, const Tensor& q, const Tensor& k,
                    const Tensor& s) {
  if (by == "1") {
    block.forward("scores", {.scheme = "none"}, {q, k}, {s});
  } else if (by == "sqrt d_k") {
    block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
  } else {
    const double alpha = 1 / divisor(by, static_cast<double>(q.cols()));
    block.forward("scores", {.scheme = "learnable"}, {q, k, block.row(std::array{alpha})}, {s});
  }
}

/// n orthogonal queries of mean square exactly 1, q_i = ±√2 cos(π(c + ½)i/d), i = 1 … n < d, the
/// signs common to a column. Their scores with normal keys are independent N(0, d_k) before the
/// division: no query's length has to be divided out, and the growth with d_k is in the data.
Tensor orthogonal_queries(Block& block, std::int64_t n, std::int64_t d) {
  const Tensor signs = block.draw("signs", "two_point", 1, d);
  const Tensor q = block.matrix(n, d);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < d; ++c) {
      const double angle = std::numbers::pi * (static_cast<double>(c) + 0.5) *
                           static_cast<double>(i + 1) / static_cast<double>(d);
      set_element(q, i, c, std::numbers::sqrt2 * std::cos(angle) * element(signs, 0, c));
    }
  }
  return q;
}

/// Var(q·k / ln d_k) for q = (1, …, 1): the score with itself, d_k/ln d_k, squared over d_k.
double log_variance(Block& block, std::int64_t d) {
  const Tensor ones = block.matrix(1, d);
  fill(ones, 1);
  const Tensor s = block.matrix(1, 1);
  divided_scores(block, "ln d_k", ones, ones, s);
  return element(s, 0, 0) * element(s, 0, 0) / static_cast<double>(d);
}

/// The slope between the neighbours of d, to the two digits of the statement.
void local_slope(Block& block, std::int64_t d, double printed) {
  const double rise = std::log(log_variance(block, d + 1) / log_variance(block, d - 1));
  const double run = std::log(static_cast<double>(d + 1) / static_cast<double>(d - 1));
  block.holds("local slope of ln d_k", std::round(100 * rise / run) == std::round(100 * printed),
              std::to_string(d));
}

void sample(Block& block) {
  const auto d = static_cast<std::int64_t>(width(block.configuration()));
  const std::int64_t n = std::min(block.integer("n"), d - 1);
  const std::int64_t m = block.integer("m");
  const Tensor s = block.matrix(n, m);
  divided_scores(block, block.text("divisor"), orthogonal_queries(block, n, d),
                 block.normal("K", m, d), s);
  block.chi_squared("variance", stats::sum_of_squares(stats::Independent{block.values(s)},
                                                      std::sqrt(variance(block.configuration()))));
  if (!block.first()) return;
  local_slope(block, 32, 0.42);
  local_slope(block, 4096, 0.76);
  block.holds("local slope of ln d_k",
              log_variance(block, 7) > log_variance(block, 8) * 0.999 &&
                  log_variance(block, 7) < log_variance(block, 6) &&
                  log_variance(block, 8) < log_variance(block, 9),
              "flat between 7 and 8 only");
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Divided by d_k^p the scores have variance d_k^(1−2p): only p = ½ flattens it, and a "
          "division by ln d_k only at d_k = e² = 7.4",
      .latex = R"(\operatorname{Var}\!\left(\frac{q\cdot k}{d_k^{\,p}}\right) = d_k^{\,1-2p})",
      .source = "introduction: why √d_k, and not d_k, its cube root or its logarithm",
      .premise = "entries of Q and K independent, mean 0, variance 1",
      .derivation =
          "ln Var = (1 − 2p) ln d_k is a straight line of slope 1, 1/3, 0, −1 for p = 0, 1/3, "
          "1/2, 1. For the logarithm ln Var = ln d_k − 2 ln ln d_k has slope 1 − 2/ln d_k: .42 "
          "at 32, .76 at 4096, and on to 1.",
      .method =
          "L: the variance at each width; S: the slope of its logarithm across widths; I: the "
          "local slope for the logarithm",
      .domain = Domain()
                    .choice("divisor", {"1", "cbrt d_k", "sqrt d_k", "d_k", "ln d_k"})
                    .choice("d_k", {"17", "48", "100", "224"})
                    .integer("n", 16, 48)
                    .integer("m", 32, 64),
      .needs = {{"scores"}},
      .checks = {{.name = "variance", .law = stats::scale(), .expected = variance},
                 {.name = "local slope of ln d_k", .law = stats::bound()}},
      // For the logarithm the abscissa is d_k/ln² d_k, on which the variance has slope 1.
      .slopes = {{.name = "slope",
                  .check = "variance",
                  .x =
                      [](const Configuration& at) {
                        return at.text("divisor") == "ln d_k" ? variance(at) : width(at);
                      },
                  .group =
                      [](const Configuration& at) { return "divided by " + at.text("divisor"); },
                  .slope =
                      [](const Configuration& at) {
                        return at.text("divisor") == "ln d_k" ? 1
                                                              : 1 - 2 * power(at.text("divisor"));
                      }}},
      .sample = sample,
      .defects = {"numbers.scores_padded_width", "numbers.scores_root_queries"},
  };
}

}  // namespace rootdk::claims::scores::exponent
