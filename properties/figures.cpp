#include <rootdk/properties/block.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/figures.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>

namespace rootdk {
namespace {

using Curves = std::vector<reports::SeriesRecord>;
using Draw = std::function<void(Block&)>;

/// Standard errors that hold 99 % of a normal law.
double reach() { return stats::normal_upper_quantile(0.005); }

/// Runs `draw` on independent blocks of the figure's own stream.
void on_blocks(std::string_view figure, const Subject& subject, Dtype dtype, std::uint64_t seed,
               std::uint64_t blocks, const Draw& draw) {
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

// ---- the scaled score ----

/// Density of q·k/√d at x. Given q the score is N(0, ‖q‖²/d), and ‖q‖² = t ~ χ²(d).
double score_density(double x, double d) {
  const auto integrand = [x, d](double t) {
    const double log_chi =
        (d / 2 - 1) * std::log(t) - t / 2 - d / 2 * std::numbers::ln2 - std::lgamma(d / 2);
    return std::exp(log_chi - x * x * d / (2 * t)) / std::sqrt(2 * std::numbers::pi * t / d);
  };
  return stats::integrate(integrand, stats::chi_squared_lower_quantile(d, 1e-12),
                          stats::chi_squared_upper_quantile(d, 1e-12))
      .value;
}

Curves score_histogram(const Subject& subject, Dtype dtype, std::uint64_t seed) {
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
      exact.y.push_back(score_density(x, static_cast<double>(d)));
      normal.x.push_back(x);
      normal.y.push_back(std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
    }
    result.insert(result.end(), {observed, exact, normal});
  }
  return result;
}

// ---- attention against d_k ----

double entropy(std::span<const double> p) {
  double sum = 0;
  for (const double value : p) sum -= value > 0 ? value * std::log(value) : 0;
  return sum;
}

Curves attention_curves(const Subject& subject, Dtype dtype, std::uint64_t seed) {
  constexpr std::int64_t queries = 64;
  constexpr std::int64_t keys = 32;
  Curves result;
  for (const std::string_view scheme : {"sqrt_dk", "none"}) {
    const char* curve = scheme == "none" ? "unscaled" : "scaled by 1/√d_k";
    std::array<reports::SeriesRecord, 3> curves;
    constexpr std::array panels{"entropy / ln n", "gradient at the scores",
                                "gradient at the query"};
    for (std::size_t i = 0; i < curves.size(); ++i) {
      curves[i].name = fmt::format("attention | {} | {}", panels[i], curve);
      curves[i].x_label = "d_k";
      curves[i].y_label = i == 0 ? "mean of H / ln n" : "mean length";
    }
    for (const std::int64_t d : {2, 8, 32, 128, 512}) {
      std::array<std::vector<double>, 3> seen;
      on_blocks(fmt::format("figure.attention.{}", d), subject, dtype, seed, 1, [&](Block& block) {
        const Tensor q = block.normal("Q", {queries, 1, 1, d});
        const Tensor k = block.normal("K", {queries, 1, keys, d});
        const Tensor cotangent = block.normal("dP", {queries, 1, 1, keys});
        const auto like = [&](const Tensor& t) { return block.tensor(t.shape); };
        const Tensor s = like(cotangent);
        const Tensor p = like(cotangent);
        const Tensor ds = like(cotangent);
        const Tensor dq = like(q);
        const Tensor dk = like(k);
        block.forward("scores", {.scheme = scheme}, {q, k}, {s});
        block.forward("softmax", {}, {s}, {p});
        block.backward("softmax", {}, {s, cotangent}, {ds});
        block.backward("scores", {.scheme = scheme}, {q, k, ds}, {dq, dk});
        for (std::int64_t i = 0; i < queries; ++i) {
          const auto row = [&](const Tensor& t) { return block.values(matrix(t, i, 0)); };
          seen[0].push_back(entropy(row(p)) / std::log(static_cast<double>(keys)));
          seen[1].push_back(std::sqrt(mean_square(row(ds)) * static_cast<double>(keys)));
          seen[2].push_back(std::sqrt(mean_square(row(dq)) * static_cast<double>(d)));
        }
      });
      for (std::size_t i = 0; i < curves.size(); ++i) {
        append_mean(curves[i], static_cast<double>(d), seen[i]);
      }
    }
    result.insert(result.end(), curves.begin(), curves.end());
  }
  return result;
}

// ---- signal and gradient against depth ----

/// Linear layers y = xW, W of variance gain/n, as a stack of one kind.
class Stack {
 public:
  enum class Kind { plain, pre_norm, post_norm };

  Stack(Block& block, Kind kind, double gain, std::int64_t rows, std::int64_t width,
        std::size_t depth)
      : block_(block),
        kind_(kind),
        gain_(gain),
        shape_{1, 1, rows, width},
        ones_(block.matrix(1, width)) {
    fill(ones_, 1);
    x_.push_back(block.normal("x", rows, width));
    for (std::size_t l = 0; l < depth; ++l) append_layer(l);
  }

  const Tensor& output(std::size_t depth) const { return x_[depth]; }

  /// Gradient of the input for a cotangent at the output of layer `depth`.
  Tensor gradient(std::size_t depth, const Tensor& cotangent) {
    const Tensor g = block_.tensor(shape_);
    copy(g, cotangent);
    for (std::size_t l = depth; l-- > 0;) step_back(l, g);
    return g;
  }

 private:
  void append_layer(std::size_t l) {
    const std::int64_t n = shape_[3];
    w_.push_back(
        block_.normal(fmt::format("W{}", l), n, n, std::sqrt(gain_ / static_cast<double>(n))));
    const Tensor next = block_.tensor(shape_);
    inner_.push_back(block_.tensor(shape_));
    if (kind_ == Kind::pre_norm) {
      block_.forward("rms_norm", {}, {x_[l], ones_}, {inner_[l]});
      block_.forward("linear", {}, {inner_[l], w_[l]}, {next});
      add_scaled(next, 1, x_[l]);
    } else if (kind_ == Kind::post_norm) {
      block_.forward("linear", {}, {x_[l], w_[l]}, {inner_[l]});
      add_scaled(inner_[l], 1, x_[l]);
      block_.forward("rms_norm", {}, {inner_[l], ones_}, {next});
    } else {
      block_.forward("linear", {}, {x_[l], w_[l]}, {next});
    }
    x_.push_back(next);
  }

  void norm_back(const Tensor& x, const Tensor& g) {
    const Tensor dx = block_.tensor(shape_);
    block_.backward("rms_norm", {}, {x, ones_, g}, {dx, block_.matrix(1, shape_[3])});
    copy(g, dx);
  }
  void linear_back(const Tensor& x, const Tensor& w, const Tensor& g) {
    const Tensor dx = block_.tensor(shape_);
    block_.backward("linear", {}, {x, w, g}, {dx, block_.tensor(w.shape)});
    copy(g, dx);
  }
  void step_back(std::size_t l, const Tensor& g) {
    if (kind_ == Kind::post_norm) norm_back(inner_[l], g);
    const Tensor direct = block_.tensor(shape_);
    copy(direct, g);
    linear_back(kind_ == Kind::pre_norm ? inner_[l] : x_[l], w_[l], g);
    if (kind_ == Kind::pre_norm) norm_back(x_[l], g);
    if (kind_ != Kind::plain) add_scaled(g, 1, direct);
  }

  Block& block_;
  Kind kind_;
  double gain_;
  std::array<std::int64_t, 4> shape_;
  Tensor ones_;
  std::vector<Tensor> x_, w_, inner_;
};

Curves depth_curves(const Subject& subject, Dtype dtype, std::uint64_t seed) {
  constexpr std::array<std::size_t, 6> depths{1, 2, 4, 8, 16, 32};
  constexpr std::int64_t width = 64;
  constexpr std::int64_t rows = 2;
  constexpr std::uint64_t blocks = 8;
  Curves result;
  struct Kind {
    Stack::Kind kind;
    double gain;
    const char* name;
  };
  for (const auto& [kind, gain, curve] :
       {Kind{Stack::Kind::plain, 1, "plain, x ← xW"},
        Kind{Stack::Kind::plain, 0.8, "plain, variance × 0.8 a layer"},
        Kind{Stack::Kind::pre_norm, 1, "pre-norm, x ← x + N(x)W"},
        Kind{Stack::Kind::post_norm, 1, "post-norm, x ← N(x + xW)"}}) {
    std::array<std::vector<double>, depths.size()> signal;
    std::array<std::vector<double>, depths.size()> gradient;
    on_blocks(
        "figure.depth", subject, dtype, seed, blocks, [&, kind = kind, gain = gain](Block& block) {
          Stack stack(block, kind, gain, rows, width, depths.back());
          const Tensor cotangent = block.normal("dy", rows, width);
          for (std::size_t i = 0; i < depths.size(); ++i) {
            signal[i].push_back(mean_square(block.values(stack.output(depths[i]))));
            gradient[i].push_back(mean_square(block.values(stack.gradient(depths[i], cotangent))));
          }
        });
    reports::SeriesRecord forward{.name = fmt::format("depth | variance of the output | {}", curve),
                                  .x_label = "layers",
                                  .y_label = "mean square"};
    reports::SeriesRecord backward{.name = fmt::format("depth | gradient at the input | {}", curve),
                                   .x_label = "layers",
                                   .y_label = "mean square"};
    for (std::size_t i = 0; i < depths.size(); ++i) {
      append_mean(forward, static_cast<double>(depths[i]), signal[i]);
      append_mean(backward, static_cast<double>(depths[i]), gradient[i]);
    }
    result.insert(result.end(), {forward, backward});
  }
  return result;
}

// ---- which claim shows which ----

struct Figure {
  /// Shown by the first of these that is registered.
  std::vector<std::string_view> claims;
  std::vector<Need> needs;
  Curves (*make)(const Subject&, Dtype, std::uint64_t);
};

const std::vector<Figure>& all_figures() {
  static const std::vector<Figure> figures{
      {{"scores.conditional_law", "scores.scaled_variance"}, {{"scores"}}, score_histogram},
      {{"softmax.gradient_at_query", "softmax.two_keys", "softmax.entropy",
        "scores.scaled_variance"},
       {{"scores"}, {"softmax"}, {"scores", Pass::backward}, {"softmax", Pass::backward}},
       attention_curves},
      {{"depth.prenorm_backward", "depth.prenorm_forward", "depth.residual_sum"},
        "scores.scaled_variance"},
       {{"linear"}, {"rms_norm"}, {"linear", Pass::backward}, {"rms_norm", Pass::backward}},
       depth_curves}};
  return figures;
}

bool belongs(const Figure& figure, std::string_view id) {
  for (const std::string_view candidate : figure.claims) {
    const bool registered = std::ranges::any_of(
        all_claims(), [&](const Claim& claim) { return claim.id == candidate; });
    if (registered) return candidate == id;
  }
  return false;
}

std::optional<Dtype> common_dtype(const Figure& figure, const Subject& subject) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32}) {
    if (std::ranges::all_of(figure.needs, [&](const Need& need) {
          return subject.has({need.op, need.pass, dtype});
        })) {
      return dtype;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<reports::SeriesRecord> figures(std::string_view claim, const Subject& subject,
                                           std::uint64_t seed) {
  Curves result;
  for (const Figure& figure : all_figures()) {
    const auto dtype = belongs(figure, claim) ? common_dtype(figure, subject) : std::nullopt;
    if (!dtype) continue;
    try {
      const Curves curves = figure.make(subject, *dtype, seed);
      result.insert(result.end(), curves.begin(), curves.end());
    } catch (const std::exception&) {
      // A kernel that cannot do this shows nothing here; the claims say what is wrong with it.
    }
  }
  return result;
}

}  // namespace rootdk
