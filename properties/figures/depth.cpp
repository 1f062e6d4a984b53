#include <rootdk/properties/figures/curves.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace rootdk::figures_of {
namespace {

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

}  // namespace

Curves depth(const Subject& subject, Dtype dtype, std::uint64_t seed) {
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

}  // namespace rootdk::figures_of
