#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

#include <fmt/format.h>

namespace rootdk::claims::norm::degenerate {
namespace {

struct Case {
  std::string_view name;
  std::string_view op;
  std::int64_t width;
  double constant;  ///< every entry of the row
};

struct Gradient {
  Tensor y, dx, dgamma, dbeta;
};

Gradient run(const Block& block, std::string_view op, const Attributes& attributes,
             std::initializer_list<Tensor> in, const Gradient& out) {
  const Tensor* t = in.begin();  // x, γ, β, dy
  if (op == "rms_norm") {
    block.forward(op, attributes, {t[0], t[1]}, {out.y});
    block.backward(op, attributes, {t[0], t[1], t[3]}, {out.dx, out.dgamma});
  } else {
    block.forward(op, attributes, {t[0], t[1], t[2]}, {out.y});
    block.backward(op, attributes, {t[0], t[1], t[2], t[3]}, {out.dx, out.dgamma, out.dbeta});
  }
  return out;
}

bool finite(Block& block, const Tensor& t) {
  return std::ranges::all_of(block.values(t), [](double v) { return std::isfinite(v); });
}

/// The row by itself: values and gradients by the limits that the documentation states.
void alone(Block& block, const Case& c, const Tensor& x, const Tensor& gamma, const Tensor& beta,
           const Tensor& dy, double epsilon) {
  const Dtype dtype = x.dtype;
  const auto d = c.width;
  const Gradient out = run(block, c.op, {.epsilon = epsilon}, {x, gamma, beta, dy},
                           {block.matrix(1, d, dtype), block.matrix(1, d, dtype),
                            block.matrix(1, d, dtype), block.matrix(1, d, dtype)});
  const bool layer = c.op == "layer_norm";
  // At a root of 0 no derivative exists and zeros are returned.
  const double r = epsilon > 0 ? 1 / std::sqrt(epsilon) : 0;
  double mean_g = 0, mean_abs = 0;
  for (std::int64_t j = 0; j < d; ++j) {
    const double g = element(gamma, 0, j) * element(dy, 0, j);
    mean_g += layer ? g / static_cast<double>(d) : 0;
    mean_abs += layer ? std::abs(g) / static_cast<double>(d) : 0;
  }
  // γ dy and its sum d + 1 roundings, quotient, difference, ε, root, inverse and product 6.
  const double tolerance = roundings(dtype, static_cast<double>(d) + 8);
  for (std::int64_t j = 0; j < d; ++j) {
    const double g = element(gamma, 0, j) * element(dy, 0, j);
    block.holds("value", element(out.y, 0, j) == (layer ? element(beta, 0, j) : 0), c.name);
    block.close("gradient", element(out.dx, 0, j), d == 1 && layer ? 0 : r * (g - mean_g),
                r * (std::abs(g) + mean_abs) + smallest_normal(dtype), tolerance, c.name, dtype);
    block.holds("weight_gradient", element(out.dgamma, 0, j) == 0, c.name);
  }
}

void sample(Block& block) {
  const Dtype dtype = dtype_named(block.text("dtype"));
  const double epsilon = std::stod(block.text("epsilon"));
  const auto wide = block.integer("d");
  const auto constant = static_cast<double>(block.integer("constant"));
  const std::array cases{
      Case{"zero row", "rms_norm", wide, 0}, Case{"zero row of width 1", "rms_norm", 1, 0},
      Case{"zero row", "layer_norm", wide, 0}, Case{"constant row", "layer_norm", wide, constant},
      Case{"width 1", "layer_norm", 1, constant + 0.3}};
  for (const Case& c : cases) {
    const std::string role = fmt::format("{} {}", c.name, c.op);
    const Tensor gamma = random_gains(block, role + " gamma", c.width, dtype);
    const Tensor beta = block.normal(role + " beta", 1, c.width, 1, dtype);
    const Tensor row = block.matrix(1, c.width, dtype);
    fill(row, c.constant);
    alone(block, c, row, gamma, beta, block.normal(role + " dy", 1, c.width, 1, dtype), epsilon);
    // Among ordinary rows: one NaN would reach every shared weight.
    const Tensor x = block.normal(role + " x", 3, c.width, 1, dtype);
    for (std::int64_t j = 0; j < c.width; ++j) set_element(x, 1, j, c.constant);
    const Gradient out = run(block, c.op, {.epsilon = epsilon},
                             {x, gamma, beta, block.normal(role + " dys", 3, c.width, 1, dtype)},
                             {block.matrix(3, c.width, dtype), block.matrix(3, c.width, dtype),
                              block.matrix(1, c.width, dtype), block.matrix(1, c.width, dtype)});
    block.holds("finite",
                finite(block, out.y) && finite(block, out.dx) && finite(block, out.dgamma), role);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Rows without a scale have defined values: a zero row leaves RMSNorm as zeros, a "
          "constant row (every row of width 1) leaves LayerNorm as β, their gradient is "
          "(γdy − mean)/√ε, or 0 at ε = 0, their weight gradient exactly 0, and nothing is "
          "ever NaN",
      .latex = R"(x = c\mathbf 1 \Rightarrow \mathrm{LN}(x) = \beta,\; d\gamma = 0,\quad )"
               R"(\mathrm{RMSNorm}(0) = 0)",
      .source = "section “Numerical stability in the forward pass”",
      .premise = "Constants whose sums are exact",
      .derivation =
          "The numerator is 0, so that the value is 0 for any finite factor; 0 · (1/0) "
          "would be NaN, and in the backward pass a NaN of one row reaches every shared "
          "weight. At ε = 0 the derivative does not exist there; zero is the documented "
          "choice.",
      .method = "I: exact values, gradients with an error bound in u, finiteness among other rows",
      .domain = Domain()
                    .integer("d", 2, 65)
                    .integer("constant", -100, 100)
                    .choice("epsilon", {"0", "1e-6"})
                    .choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"rms_norm"},
                {"rms_norm", Pass::backward},
                {"layer_norm"},
                {"layer_norm", Pass::backward}},
      .checks = {{.name = "value", .law = stats::bound()},
                 {.name = "gradient", .law = stats::bound()},
                 {.name = "weight_gradient", .law = stats::bound()},
                 {.name = "finite", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.width_one", "numbers.zero_vector"},
  };
}

}  // namespace rootdk::claims::norm::degenerate
