#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace rootdk::claims::softmax::streaming {
namespace {

/// A softmax that sees its row in blocks and keeps the largest logit, the sum relative to it, and
/// the sum of values: what an attention kernel that never stores P computes.
struct Running {
  double top = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double output = 0;

  void add(double z, double value) {
    if (z > top) {
      const double shrink = std::exp(top - z);
      sum *= shrink;
      output *= shrink;
      top = z;
    }
    const double weight = std::exp(z - top);
    sum += weight;
    output += weight * value;
  }
  /// Two halves of a row, in either order.
  void merge(const Running& other) {
    const double most = std::max(top, other.top);
    const double mine = std::exp(top - most);
    const double theirs = std::exp(other.top - most);
    sum = sum * mine + other.sum * theirs;
    output = output * mine + other.output * theirs;
    top = most;
  }
};

std::vector<std::int64_t> random_order(Block& block, std::int64_t m) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), 0);
  Stream stream = block.stream("order");
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[stream() % (i + 1)]);
  return order;
}

void sample(Block& block) {
  const auto m = block.integer("m");
  const auto width = static_cast<std::size_t>(block.integer("block"));
  const double spread = block.real("spread");
  const Tensor z = block.normal("z", 1, m, spread);
  const Tensor v = block.normal("v", 1, m);
  const Tensor p = block.matrix(1, m);
  block.forward("softmax", {}, {z}, {p});
  const std::vector<std::int64_t> order = random_order(block, m);
  Running whole;
  for (std::size_t start = 0; start < order.size(); start += width) {
    Running part;
    for (std::size_t i = start; i < std::min(order.size(), start + width); ++i) {
      part.add(element(z, 0, order[i]), element(v, 0, order[i]));
    }
    whole.merge(part);
  }
  double direct = 0;
  double size = 0;
  double range = 0;
  for (std::int64_t j = 0; j < m; ++j) {
    direct += element(p, 0, j) * element(v, 0, j);
    size += element(p, 0, j) * std::abs(element(v, 0, j));
    range = std::max(range, std::abs(element(z, 0, j)));
  }
  // Each weight is a product of at most one exponential a rescaling; their arguments telescope,
  // with a rounding of 2 u |z| each, up to one for each of the m steps and of the blocks.
  const double steps = static_cast<double>(m) + 4;
  const double tolerance = 2 * steps * (2 + 2 * range);
  block.close("output", whole.output / whole.sum, direct, size, tolerance);
  for (std::int64_t j = 0; j < m; ++j) {
    const double online = std::exp(element(z, 0, j) - whole.top) / whole.sum;
    block.close("probability", element(p, 0, j), online, online, tolerance);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "A softmax that sees its row block by block, in any order, equals the direct one",
      .latex = R"(m' = \max(m, m_b),\ \ell' = e^{m-m'}\ell + e^{m_b-m'}\ell_b)",
      .source =
          "section “What do these values become in softmax?”; Milakov, Gimelshein, “Online "
          "normalizer calculation for softmax”, 2018",
      .derivation =
          "The sum relative to one maximum becomes the sum relative to another by one factor, "
          "and sums of blocks add up, so neither the blocks nor their order matter.",
      .method = "I: against an independent block-wise algorithm",
      .domain = Domain().integer("m", 2, 96).integer("block", 1, 24).real("spread", 0.25, 8, 0.25),
      .needs = {{"softmax"}},
      .checks = {{.name = "output", .law = stats::bound()},
                 {.name = "probability", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.exponent_base"},
  };
}

}  // namespace rootdk::claims::softmax::streaming
