#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>

namespace rootdk::claims::norm::rms_is_not_std {
namespace {

void sample(Block& block) {
  const auto d = block.integer("d");
  const Dtype dtype = dtype_named(block.text("dtype"));
  const Tensor x = block.normal("x", 1, d, 1, dtype);
  for (std::int64_t j = 0; j < d; ++j) set_element(x, 0, j, element(x, 0, j) + block.real("mean"));
  const Tensor gamma = random_gains(block, "gamma", d, dtype);
  const Tensor y = block.matrix(1, d, dtype);
  block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {y});
  const RowMoments before = row_moments(block.values(x));
  std::vector<double> ungained;
  for (std::int64_t j = 0; j < d; ++j) {
    ungained.push_back(element(y, 0, j) / element(gamma, 0, j));
  }
  const RowMoments after = row_moments(ungained);
  const auto expected = static_cast<double>(1 - before.mean * before.mean / before.mean_square);
  // A relative error e of every entry moves the variance of a row of RMS 1 by at most
  // 2 e · mean(|y||y − ȳ|) ≤ 2 e, and e is that of norm.rms plus the quotient by γ.
  const double entry = roundings(dtype, 0.5 * static_cast<double>(d + 3) + 6);
  block.close("variance", static_cast<double>(after.variance), expected, 1, 2 * entry,
              "variance of y/γ", dtype);
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "RMSNorm gives a row the standard deviation √(1 − mean²/ms): 1 only if the "
          "row's mean is 0",
      .latex = R"(\mathrm{std}(y)^2 = 1 - \bar{x}^2/\overline{x^2})",
      .source =
          "section “Numerical stability in the forward pass”: “divide by the root mean "
          "square, so that the standard deviation is about 1”",
      .premise = "ε = 0, before the gain",
      .derivation =
          "RMSNorm does not subtract the mean: it makes the mean of y² equal to 1, and "
          "the variance is that less the square of the mean of y, which is mean²/ms. A "
          "row of mean 1 and standard deviation 1 leaves with 0.707.",
      .erratum = Erratum{.says = "RMSNorm divides by the root mean square so that the standard "
                                 "deviation is about 1",
                         .holds = "The root mean square is 1; std² = 1 − mean²/ms, which is 1 only "
                                  "for rows of mean 0 (0.5 for mean 1 and standard deviation 1)"},
      .method = "I: variance of the output row in extended precision, error bound in u",
      .domain = Domain()
                    .integer("d", 2, 257)
                    .real("mean", -4, 4, 0.125)
                    .choice("dtype", {"f64", "f32", "f16", "bf16"}),
      .needs = {{"rms_norm"}},
      .checks = {{.name = "variance", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.mean_subtracted", "numbers.length_one"},
  };
}

}  // namespace rootdk::claims::norm::rms_is_not_std
