#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/products.hpp>
#include <rootdk/properties/schemes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace rootdk::claims::scaling::parameters_matter {
namespace {

std::vector<std::string> with_parameters() {
  std::vector<std::string> names;
  for (const SchemeFacts& facts : all_schemes()) {
    if (!facts.parameters.empty()) names.emplace_back(facts.name);
  }
  return names;
}

/// Each parameter between its generic ends, at a share of the way.
std::vector<double> parameters_at(const SchemeFacts& facts, double share) {
  std::vector<double> result;
  for (const SchemeParameter& p : facts.parameters) {
    result.push_back(p.low + share * (p.high - p.low));
  }
  return result;
}

double largest_difference(Block& block, const Tensor& a, const Tensor& b) {
  double result = 0;
  for (std::size_t i = 0; i < block.values(a).size(); ++i) {
    result = std::max(result, std::abs(block.values(a)[i] - block.values(b)[i]));
  }
  return result;
}

/// A score of size |S| is a sum of d terms: a change beyond (d + n m) u of the largest, eight times, is
/// no rounding.
void sample(Block& block) {
  const SchemeFacts& facts = scheme(block.text("scheme"));
  SchemeCase at{.facts = &facts,
                .parameters = parameters_at(facts, block.real("share")),
                .d_k = block.integer("d_k"),
                .queries = block.integer("n"),
                .keys = block.integer("m"),
                .heads = 3,
                .layer = 2,
                .mask = {}};
  const Tensor q = block.normal("Q", at.queries, at.d_k);
  const Tensor k = block.normal("K", at.keys, at.d_k);
  const Tensor s = block.matrix(at.queries, at.keys);
  const Tensor moved = block.matrix(at.queries, at.keys);
  forward_scores(block, at, q, k, s);
  // With the scores as cotangent the gradient is half the slope of ‖S‖², a sum of terms of one sign
  // for a factor, and for c tanh(x/c), which grows with c: no term cancels another.
  const Tensor dq = block.matrix(at.queries, at.d_k);
  const Tensor dk = block.matrix(at.keys, at.d_k);
  const std::vector<double> gradient = backward_scores(block, at, q, k, s, dq, dk);
  double size = 0;
  for (const double score : block.values(s)) size = std::max(size, std::abs(score));
  const auto terms = static_cast<double>(at.d_k + at.queries * at.keys);
  const double rounding = 8 * terms * unit_roundoff(s.dtype) * size;
  for (std::size_t p = 0; p < gradient.size(); ++p) {
    block.holds("gradient", std::isfinite(gradient[p]) && gradient[p] != 0,
                facts.parameters[p].name);
    const double value = at.parameters[p];
    at.parameters[p] = facts.parameters[p].low + 0.25 * (value - facts.parameters[p].low);
    forward_scores(block, at, q, k, moved);
    at.parameters[p] = value;
    block.holds("output", largest_difference(block, s, moved) > rounding, facts.parameters[p].name);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .id = {},
      .statement =
          "Every parameter of a scheme changes the scores, and their sum of squares has a slope in "
          "it",
      .latex = R"(\langle S, \partial S/\partial\theta\rangle \ne 0)",
      .source = "section “A learnable scaling factor”",
      .premise = "Gaussian rows; cosine below its clamp log τ ≤ ln 100",
      .derivation =
          "The scores depend on each parameter through a factor or a cap that is strictly monotone "
          "in "
          "it, so every score moves away from 0, or every one towards it.",
      .method = "I: a gradient that is not 0; a change beyond what the rounding of all terms makes",
      .domain = Domain()
                    .choice("scheme", with_parameters())
                    .real("share", 0.25, 1, 0.015625)
                    .integer("d_k", 2, 64)
                    .integer("n", 3, 6)
                    .integer("m", 3, 6)
                    .choice("dtype", {"f64", "f32"}),
      .needs = {{"scores"}, {"scores", Pass::backward}},
      .checks = {{.name = "gradient", .law = stats::bound()},
                 {.name = "output", .law = stats::bound()}},
      .sample = sample,
      .defects = {"scale.scale_ignored", "scale.norm_unused", "scale.learnable_starts_at_one"},
  };
}

}  // namespace rootdk::claims::scaling::parameters_matter
