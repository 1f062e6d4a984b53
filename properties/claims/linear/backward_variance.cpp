#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::linear::backward_variance {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Σ |x_i| |w_ij| |dy_j|
double size_of_terms(Block& block, const Tensor& x, const Tensor& w, const Tensor& dy) {
  double sum = 0;
  const auto weights = block.values(w);
  for (std::int64_t i = 0; i < w.rows(); ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) {
      const auto place = static_cast<std::size_t>(i * w.cols() + j);
      sum += std::abs(element(x, 0, i) * weights[place] * element(dy, 0, j));
    }
  }
  return sum;
}

void sample(Block& block) {
  const std::int64_t n_in = block.integer("n_in");
  const std::int64_t n_out = block.integer("n_out");
  const double sd = block.real("sd_w");
  const Tensor x = block.draw("x", "uniform", 1, n_in);
  const Tensor w = block.normal("W", n_in, n_out, sd);
  const Tensor dy = block.draw("dy", block.text("law_dy"), 1, n_out, block.real("sd_dy"));
  set_element(dy, 0, 0, block.real("sd_dy"));  // never all zero
  const Tensor dx = block.matrix(1, n_in);
  block.backward("linear", {}, {x, w, dy}, {dx, block.matrix(n_in, n_out)});
  block.chi_squared("variance", stats::linear_output(block.values(dx), block.values(dy), sd));
  if (!block.first()) return;
  // The law cannot tell W from Wᵀ where n_in = n_out; the adjoint can. Both sides are sums of the
  // same terms x_i w_ij dy_j: an inner sum and an outer one, n_in + n_out roundings each side.
  const Tensor y = block.matrix(1, n_out);
  block.forward("linear", {}, {x, w}, {y});
  block.close("adjoint", dot(block.values(dx), block.values(x)),
              dot(block.values(dy), block.values(y)), size_of_terms(block, x, w, dy),
              2 * static_cast<double>(n_in + n_out), "⟨dx, x⟩ and ⟨dy, y⟩");
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement = "Backwards, a linear layer multiplies the variance of the gradient by n_out σw²",
      .latex = R"(\operatorname{Var}(dx_i) = n_\text{out}\,\sigma_w^2\,\mathbb{E}[dy^2])",
      .source = "section “A finer version”",
      .premise = "Gaussian weights independent of dy; one row dy a draw of W",
      .derivation =
          "dx = dy Wᵀ is the same product with the roles of the fans exchanged: each dx_i "
          "sums n_out terms. So the variance that keeps the forward pass, 1/n_in, keeps the "
          "backward pass only in square layers.",
      .method = "L: Σ dx_i²/(σw²‖dy‖²) ~ χ²(n_in) given dy; I: ⟨dx, x⟩ = ⟨dy, xW⟩",
      .domain = Domain()
                    .choice("law_dy", {"normal", "uniform", "three_point"})
                    .choice("shape", {"any", "square"})
                    .integer("n_in", 8, 32)
                    .integer("n_out", 1, 32)
                    .real("sd_w", 0.125, 2, 0.125)
                    .real("sd_dy", 0.25, 2, 0.25)
                    .valid("n_out = n_in where square",
                           [](Configuration& c) {
                             if (c.text("shape") == "square") c.set("n_out", c.integer("n_in"));
                           }),
      .needs = {{"linear"}, {"linear", Pass::backward}},
      .checks = {{.name = "variance",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& at) {
                        return static_cast<double>(at.integer("n_out")) * at.real("sd_w") *
                               at.real("sd_w");
                      }},
                 {.name = "adjoint", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.linear_backward_root_fan", "numbers.linear_backward_not_transposed"},
  };
}

}  // namespace rootdk::claims::linear::backward_variance
