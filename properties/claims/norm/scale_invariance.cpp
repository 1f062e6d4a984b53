#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

namespace rootdk::claims::norm::scale_invariance {
namespace {

/// Rows of integers, so that their product with the factor is exact in float.
void sample(Block& block) {
  const std::string& op = block.text("op");
  const auto d = block.integer("d");
  const Dtype dtype = dtype_named(block.text("dtype"));
  const double factor = std::stod(block.text("factor"));
  std::vector<double> row;
  for (const double v : block.values(block.normal("x", 1, d, 64, Dtype::f64))) {
    row.push_back(std::round(v));
  }
  row.front() += row.front() == row.back() ? 64 : 0;
  const Tensor x = block.row(row, dtype);
  for (double& v : row) v *= factor;
  const Tensor scaled = block.row(row, dtype);
  const Tensor gamma = random_gains(block, "gamma", d, dtype);
  const Tensor beta = block.matrix(1, d, dtype);
  fill(beta, 0);
  const Tensor y = block.matrix(1, d, dtype);
  const Tensor z = block.matrix(1, d, dtype);
  const auto normalise = [&](const Tensor& in, const Tensor& out) {
    if (op == "rms_norm") {
      block.forward(op, {.epsilon = 0}, {in, gamma}, {out});
    } else {
      block.forward(op, {.epsilon = 0}, {in, gamma, beta}, {out});
    }
  };
  normalise(x, y);
  normalise(scaled, z);
  // Each side is within the entry bounds of norm.rms and norm.layer of the same exact value. For
  // LayerNorm the mean's error is shared by the deviations: d u max|x|/sd.
  const RowMoments m = row_moments(block.values(x));
  const double width = static_cast<double>(d);
  const double shift =
      op == "rms_norm" ? 0 : (width + 1) * m.largest / std::sqrt(static_cast<double>(m.variance));
  for (std::int64_t j = 0; j < d; ++j) {
    const double expected = element(y, 0, j);
    const double gain = std::abs(element(gamma, 0, j));
    block.close("entry", element(z, 0, j), expected, std::abs(expected) + gain * shift / width,
                2 * (width + 7), "N(cx) − N(x)", dtype);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Without ε a norm does not depend on the scale of the row: N(cx) = N(x) for "
          "every c > 0, for RMSNorm and LayerNorm",
      .latex = R"(N(cx) = N(x),\quad c > 0,\ \varepsilon = 0)",
      .source = "section “Numerical stability in the forward pass”",
      .premise = "ε = 0, c x exact in the dtype, rows that are not constant",
      .derivation =
          "Numerator and root are both multiplied by c. So a norm in front of a layer "
          "makes what follows independent of the scale of what came before, and any ε "
          "that is not small against the mean square breaks this.",
      .method = "I: N(cx) against N(x), error bound in u",
      .domain = Domain()
                    .integer("d", 2, 257)
                    .choice("op", {"rms_norm", "layer_norm"})
                    .choice("factor", {"0x1p-20", "0x1.8p-19", "0x1.4p-14", "1000", "0x1p20"})
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"rms_norm"}, {"layer_norm"}},
      .checks = {{.name = "entry", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.eps_default"},
  };
}

}  // namespace rootdk::claims::norm::scale_invariance
