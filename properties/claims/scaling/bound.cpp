#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/schemes.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rootdk::claims::scaling::bound {
namespace {

/// Heads of unlike size, and the first keys of each head parallel or opposite to a query: there a
/// bound of normed rows is reached.
void make_hard(Block& block, const Tensor& q, const Tensor& k) {
  Stream signs = block.stream("sign");
  const auto exponent = static_cast<int>(block.integer("exponent"));
  for (std::int64_t h = 0; h < q.shape[1]; ++h) {
    const Tensor queries = matrix(q, 0, h);
    const Tensor keys = matrix(k, 0, h);
    multiply(queries, std::ldexp(1.0, exponent + static_cast<int>(3 * h % 7)));
    for (std::int64_t j = 0; j < keys.rows() / 2; ++j) {
      const double sign = (signs() & 1U) != 0 ? 1 : -1;
      for (std::int64_t c = 0; c < keys.cols(); ++c) {
        set_element(keys, j, c, sign * element(queries, j % queries.rows(), c));
      }
    }
    multiply(keys, std::ldexp(1.0, static_cast<int>(5 * h % 7)));
  }
}

/// A row over its computed RMS has a mean square of 1 but for (d + 5) u: d − 1 additions, a
/// division, ε, twice the root and the division (halved by the root, doubled by the square). The
/// product of two adds (d + 1) u of at most its bound, the factor 3 u. The same holds for the two
/// squares, so that (2d + 16) u bounds all of it.
double rounding(const SchemeCase& at) {
  return at.facts->capped ? 0 : 2 * static_cast<double>(at.d_k) + 16;
}

void check_head(Block& block, const SchemeCase& at, const Tensor& q, const Tensor& k,
                const Tensor& s) {
  const double bound = at.bound();
  const double u = unit_roundoff(s.dtype);
  for (std::int64_t i = 0; i < s.rows(); ++i) {
    for (std::int64_t j = 0; j < s.cols(); ++j) {
      const double share = std::abs(element(s, i, j)) / bound;
      // Written so that a NaN is an excess.
      block.error("bound", share <= 1 ? 0 : (share - 1) / u, rounding(at));
      double product = 0;
      for (std::int64_t c = 0; c < q.cols(); ++c) product += element(q, i, c) * element(k, j, c);
      const bool parallel = j < s.cols() / 2 && j % s.rows() == i;
      // tanh x is 1 in double beyond 19.07.
      const bool saturated =
          std::abs(product) > 20 * bound * std::sqrt(static_cast<double>(at.d_k));
      if (at.facts->capped ? saturated : parallel) {
        block.close("reached", element(s, i, j), std::copysign(bound, product), bound,
                    rounding(at) + 4, {}, s.dtype);
      }
    }
  }
}

void sample(const SchemeFacts& facts, Block& block) {
  const SchemeCase at = scheme_case(facts, block.configuration());
  const Tensor q = block.normal("Q", {1, at.heads, at.queries, at.d_k});
  const Tensor k = block.normal("K", {1, at.heads, at.keys, at.d_k});
  const Tensor s = block.tensor({1, at.heads, at.queries, at.keys});
  make_hard(block, q, k);
  forward_scores(block, at, q, k, s);
  for (std::int64_t h = 0; h < at.heads; ++h) {
    check_head(block, at, matrix(q, 0, h), matrix(k, 0, h), matrix(s, 0, h));
  }
}

std::vector<std::string> planted(const SchemeFacts& facts) {
  if (facts.capped) return {"scale.cap_shape"};
  if (facts.rows == RowNorm::rms) return {"scale.norm_across_heads", "scale.norm_unused"};
  return {"scale.norm_unused"};
}

Claim member(const SchemeFacts& facts) {
  // A cap is reached by large scores only; a norm takes any size away.
  const std::int64_t low = facts.capped ? 12 : -30;
  Domain domain;
  domain.integer("d_k", 2, 96).integer("n", 1, 8).integer("m", 2, 17).integer("exponent", low, 30);
  add_scheme_axes(domain, facts).choice("dtype", {"f64", "f32"});
  const std::string name(facts.name);
  return Claim{
      .id = {},
      .member = name,
      .statement =
          "The scores of scheme " + name + " never exceed the bound that it states, and reach it",
      .latex = std::string(facts.formula),
      .source = "section “No scaling at all: QK-Norm”",
      .premise = facts.rows == RowNorm::none ? "" : "ε = 0",
      .derivation =
          facts.rows == RowNorm::none
              ? "|tanh| ≤ 1, also in floating point, and c · 1 is exact."
              : "By the inequality of Cauchy and Schwarz |q·k| ≤ ‖q‖‖k‖, with equality for "
                "parallel rows, and the norm fixes both lengths.",
      .method = "I: within (2d + 16) u for normed rows, exactly for a cap",
      .domain = domain,
      .needs = {{"scores"}},
      .checks = {{.name = "bound", .law = stats::bound()},
                 {.name = "reached", .law = stats::bound()}},
      .sample = [&facts](Block& block) { sample(facts, block); },
      .defects = planted(facts),
  };
}

}  // namespace

Claims claim() {
  std::vector<Claim> members;
  for (const SchemeFacts& facts : all_schemes()) {
    std::vector<double> parameters;
    for (const SchemeParameter& p : facts.parameters) parameters.push_back(p.initial);
    const double bound = facts.bound({.d_k = 16, .d_model = 64, .layer = 1, .keys = 8}, parameters);
    if (bound < std::numeric_limits<double>::infinity()) members.push_back(member(facts));
  }
  return members;
}

}  // namespace rootdk::claims::scaling::bound
