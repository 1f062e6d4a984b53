#include <rootdk/lib/init/rules.hpp>
#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::init::glorot::gains {
namespace {

double part(const Configuration& at, std::string_view fan) {
  const auto own = static_cast<double>(at.integer(fan));
  return 2 * own / static_cast<double>(at.integer("n_in") + at.integer("n_out"));
}
double forward_gain(const Configuration& at) { return part(at, "n_in"); }
double backward_gain(const Configuration& at) { return part(at, "n_out"); }

/// The rule's own variance gives the product of the two gains: at most 1, and 1 for squares alone.
void product(Block& block, double n_in, double n_out) {
  const double variance =
      entry_variance(initialiser("glorot_normal"), {.fan_in = n_in, .fan_out = n_out});
  const double product = variance * n_in * (variance * n_out);
  // AM–GM: 1 − product = ((n_in − n_out)/(n_in + n_out))²; five roundings of numbers up to 2.
  const double gap = (n_in - n_out) / (n_in + n_out);
  block.close("product", product, 1 - gap * gap, 1, 8, "", Dtype::f64);
  block.holds("product", n_in == n_out || product < 1, "1 for squares alone");
}

void sample(Block& block) {
  const auto n_in = block.integer("n_in");
  const auto n_out = block.integer("n_out");
  const Tensor w = block.matrix(n_in, n_out);
  block.forward("init", {.initialiser = "glorot_normal", .seed = block.seed("W")}, {}, {w});
  const double sd = std::sqrt(2 / static_cast<double>(n_in + n_out));
  // Whitened by the inputs, the outputs show the entries of W in units of the claimed variance.
  const auto rows = (n_in + 1) / 2;
  const Tensor x = block.normal("x", rows, n_in);
  const Tensor y = block.matrix(rows, n_out);
  block.forward("linear", {}, {x, w}, {y});
  block.chi_squared("forward",
                    stats::whitened_scores({block.values(y), rows, n_out}, block.values(x), sd));
  const auto back = (n_out + 1) / 2;
  const Tensor inputs = block.normal("inputs", back, n_in);
  const Tensor dy = block.normal("dy", back, n_out);
  const Tensor dx = block.matrix(back, n_in);
  const Tensor dw = block.matrix(n_in, n_out);
  block.backward("linear", {}, {inputs, w, dy}, {dx, dw});
  block.chi_squared("backward",
                    stats::whitened_scores({block.values(dx), back, n_in}, block.values(dy), sd));
  if (block.first()) product(block, static_cast<double>(n_in), static_cast<double>(n_out));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Glorot's variance 2/(n_in + n_out) multiplies the second moment by "
          "2n_in/(n_in + n_out) forwards and by 2n_out/(n_in + n_out) backwards; the "
          "product is at most 1, and 1 only for square layers",
      .latex = R"(\frac{2n_{in}}{n_{in}+n_{out}}\cdot\frac{2n_{out}}{n_{in}+n_{out}}
 = 1-\Bigl(\frac{n_{in}-n_{out}}{n_{in}+n_{out}}\Bigr)^2 \le 1)",
      .source = "section “A more refined version”",
      .premise = "entries of W independent, normal, mean 0",
      .derivation =
          "Forwards the sum has n_in terms, backwards n_out. 2/(n_in + n_out) is the "
          "harmonic compromise between 1/n_in and 1/n_out: what one direction gains the "
          "other loses, and by the inequality of the means a little more is lost.",
      .method = "L: whitened outputs and gradients ~ χ²; I: the product",
      .domain = Domain().integer("n_in", 1, 96).integer("n_out", 1, 96),
      .needs = {{"init"}, {"linear"}, {"linear", Pass::backward}},
      .checks = {{.name = "forward", .law = stats::scale(), .expected = forward_gain},
                 {.name = "backward", .law = stats::scale(), .expected = backward_gain},
                 {.name = "product", .law = stats::bound()}},
      .sample = sample,
      .defects = {"init.silent_default"},
  };
}

}  // namespace rootdk::claims::init::glorot::gains
