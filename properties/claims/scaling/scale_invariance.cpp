#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>
#include <rootdk/properties/schemes.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace rootdk::claims::scaling::scale_invariance {
namespace {

std::vector<std::string> normed() {
  std::vector<std::string> names;
  for (const SchemeFacts& facts : all_schemes()) {
    if (facts.rows != RowNorm::none) names.emplace_back(facts.name);
  }
  return names;
}

/// Mean square of a row, and of what its mean leaves.
struct Squares {
  double whole = 0;
  double centred = 0;
};
Squares squares_of(const Tensor& x, std::int64_t i) {
  const auto d = static_cast<double>(x.cols());
  double mean = 0;
  Squares result;
  for (std::int64_t c = 0; c < x.cols(); ++c) mean += element(x, i, c) / d;
  for (std::int64_t c = 0; c < x.cols(); ++c) {
    const double value = element(x, i, c);
    result.whole += value * value / d;
    result.centred += (value - mean) * (value - mean) / d;
  }
  return result;
}

/// What rounding the row itself costs: 1, or rms/sd where the mean is taken off.
double condition(const SchemeCase& at, const Tensor& x, std::int64_t i) {
  const Squares squares = squares_of(x, i);
  return at.facts->rows == RowNorm::layer ? std::sqrt(squares.whole / squares.centred) : 1;
}

/// ε over itself and the row's mean square (its variance, its squared length): the share of the
/// radial gradient that the norm lets through.
double let_through(const SchemeCase& at, const Tensor& q, std::int64_t i) {
  const Squares squares = squares_of(q, i);
  double size = squares.whole;
  if (at.facts->rows == RowNorm::layer) size = squares.centred;
  if (at.facts->rows == RowNorm::unit) size *= static_cast<double>(q.cols());
  return at.epsilon / (size + at.epsilon);
}

SchemeCase case_of(Block& block, double epsilon) {
  const SchemeFacts& facts = scheme(block.text("scheme"));
  SchemeCase at{.facts = &facts,
                .parameters = {},
                .d_k = block.integer("d_k"),
                .queries = block.integer("n"),
                .keys = block.integer("m"),
                .mask = {},
                .epsilon = epsilon};
  for (const SchemeParameter& p : facts.parameters) at.parameters.push_back((p.low + p.high) / 2);
  return at;
}

/// S(cq) = S(q): a row over its RMS has errors of (d/2 + 4) u, its product with another (d + 1) u
/// of at most the bound; both sides.
void scaled(Block& block, const Tensor& q, const Tensor& k) {
  const SchemeCase at = case_of(block, 0);
  const Tensor s = block.matrix(at.queries, at.keys);
  const Tensor moved = block.matrix(at.queries, at.keys);
  const Tensor larger = block.matrix(at.queries, at.d_k);
  copy(larger, q);
  multiply(larger, block.real("c"));
  forward_scores(block, at, q, k, s);
  forward_scores(block, at, larger, k, moved);
  // The rounding of c q adds u of each entry; a row's own errors count by its condition.
  const double steps = 2 * (4 * static_cast<double>(at.d_k) + 20);
  for (std::int64_t i = 0; i < at.queries; ++i) {
    for (std::int64_t j = 0; j < at.keys; ++j) {
      block.close("S(cq) = S(q)", element(moved, i, j), element(s, i, j), at.bound(),
                  steps * (condition(at, q, i) + condition(at, k, j)));
    }
  }
}

/// ⟨dq, q⟩ = ⟨dS, S⟩ ε/(size + ε), row by row.
void radial(Block& block, const Tensor& q, const Tensor& k, double epsilon,
            std::string_view check) {
  const SchemeCase at = case_of(block, epsilon);
  const Tensor s = block.matrix(at.queries, at.keys);
  const Tensor ds = block.normal("dS", at.queries, at.keys);
  const Tensor dq = block.matrix(at.queries, at.d_k);
  const Tensor dk = block.matrix(at.keys, at.d_k);
  forward_scores(block, at, q, k, s);
  backward_scores(block, at, q, k, ds, dq, dk);
  double worst = 1;
  for (std::int64_t j = 0; j < at.keys; ++j) worst = std::max(worst, condition(at, k, j));
  for (std::int64_t i = 0; i < at.queries; ++i) {
    double expected = 0;
    double weight = 0;
    double seen = 0;
    for (std::int64_t j = 0; j < at.keys; ++j) {
      expected += element(ds, i, j) * element(s, i, j);
      weight += std::abs(element(ds, i, j));
    }
    for (std::int64_t c = 0; c < at.d_k; ++c) seen += element(dq, i, c) * element(q, i, c);
    // ‖dq‖‖q‖ ≤ Σ|dS| · bound · condition; each of the m + 4d steps of the chain is rounded at that
    // size times the condition of the row that it concerns.
    const double steps = 4 * static_cast<double>(at.keys + 4 * at.d_k + 20);
    const double own = condition(at, q, i);
    block.close(check, seen, expected * let_through(at, q, i), weight * at.bound(),
                steps * own * (own + worst));
  }
}

void sample(Block& block) {
  const Tensor q = block.normal("Q", block.integer("n"), block.integer("d_k"));
  const Tensor k = block.normal("K", block.integer("m"), block.integer("d_k"));
  scaled(block, q, k);
  radial(block, q, k, 0, "⟨dq, q⟩ = 0");
  radial(block, q, k, block.real("epsilon"), "the ε term");
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Normed schemes do not see the length of a query, and its gradient is orthogonal to it "
          "but for ε/(ms + ε)",
      .latex =
          R"(S(cq) = S(q),\quad \langle dq, q\rangle = \langle dS, S\rangle\,\frac{\varepsilon}{ms+\varepsilon})",
      .source = "section “No scaling at all: QK-Norm”",
      .premise = "c > 0",
      .derivation =
          "N(cx) = N(x) at ε = 0, so the derivative along x is 0. With ε the norm is "
          "x/√(ms + ε), whose derivative along x keeps the share ε/(ms + ε) of it.",
      .method = "I: row by row, within the rounding of d_k and m terms at the size of the bound",
      .domain = Domain()
                    .choice("scheme", normed())
                    .integer("d_k", 3, 64)
                    .integer("n", 1, 5)
                    .integer("m", 1, 7)
                    .real("c", 0.125, 64, 0.125)
                    .real("epsilon", 0.125, 4, 0.125)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"scores"}, {"scores", Pass::backward}},
      .checks = {{.name = "S(cq) = S(q)", .law = stats::bound()},
                 {.name = "⟨dq, q⟩ = 0", .law = stats::bound()},
                 {.name = "the ε term", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.norm_unused"},
  };
}

}  // namespace rootdk::claims::scaling::scale_invariance
