#include <rootdk/properties/claim.hpp>

#include <cmath>

namespace rootdk::claims::scaled::cube_root {
namespace {

void sample(Block& block) {
  const auto n = block.integer("n");
  const auto d = block.integer("d_k");
  const Tensor q = block.normal("Q", n, d);
  const Tensor k = block.normal("K", n, d);
  const Tensor s = block.matrix(n, n);
  block.forward("scores", {.scheme = "cube_root"}, {q, k}, {s});
  const double sigma = 1 / std::cbrt(static_cast<double>(d));
  block.chi_squared("variance",
                    stats::whitened_scores({block.values(s), n, n}, block.values(q), sigma));
}

}  // namespace

Claims claim() {
  return Claim{
      .statement = "Divided by the cube root of d_k, the scores have variance d_k^(1/3)",
      .latex = R"(\operatorname{Var}(q\cdot k/d_k^{1/3}) = d_k^{1/3})",
      .source = "a project outside the tree",
      .derivation =
          "Each of the d_k products has variance 1, and the factor enters squared: "
          "d_k · d_k^(−2/3).",
      .method = "L: tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(n²)",
      .domain = Domain().integer("d_k", 8, 64).integer("n", 2, 8),
      .needs = {{"scores"}},
      .checks = {{.name = "variance",
                  .law = stats::scale(),
                  .expected =
                      [](const Configuration& at) {
                        return std::cbrt(static_cast<double>(at.integer("d_k")));
                      }}},
      .sample = sample,
  };
}

}  // namespace rootdk::claims::scaled::cube_root
