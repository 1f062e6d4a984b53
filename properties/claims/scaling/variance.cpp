#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/scaling/capped_moments.hpp>
#include <rootdk/properties/schemes.hpp>
#include <rootdk/stats/distributions.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace rootdk::claims::scaling::variance {
namespace {

/// Cosines of one query and many keys are independent given the query, and uniform directions in e
/// dimensions make (1 + cos)/2 ~ Beta((e − 1)/2, (e − 1)/2).
void cosines(Block& block, const SchemeCase& at, const Tensor& s) {
  const auto e = static_cast<double>(at.directions());
  const double most = std::sqrt(at.variance(0) * e);
  std::vector<double> u;
  for (const double score : block.values(s).first(static_cast<std::size_t>(at.keys))) {
    const double x = std::clamp((1 + score / most) / 2, 0.0, 1.0);
    u.push_back(stats::beta_lower((e - 1) / 2, (e - 1) / 2, x));
  }
  block.uniforms("cosine", {u});
}

/// Pairs of different queries and keys are independent; their capped squares have known moments.
void capped(Block& block, const SchemeCase& at, const Tensor& s) {
  const CappedMoments& m = capped_moments(at.d_k, at.bound());
  const double mean = m[0].value;
  const double sd = std::sqrt(m[1].value - mean * mean);
  std::vector<double> z;
  for (std::int64_t i = 0; i < std::min(at.queries, at.keys); ++i) {
    const double score = element(s, i, i);
    z.push_back((score * score - mean) / sd);
  }
  block.standardised("variance", {z});
  if (!block.first()) return;
  // The scheme's own value is a sum of weights exp(w) with |w| ≤ d + 41, hence a relative error of
  // (d + 41) u each, twice that with the values; the Bessel function's recurrence adds d steps.
  const double u = unit_roundoff(Dtype::f64);
  const double tolerance = m[0].error / (mean * u) + 4 * (static_cast<double>(at.d_k) + 41);
  block.close("quadrature", at.variance(0), mean, mean, tolerance, {}, Dtype::f64);
  block.holds("below 1", at.variance(0) < 1);
}

void sample(const SchemeFacts& facts, Block& block) {
  const SchemeCase at = scheme_case(facts, block.configuration());
  const Tensor q = block.normal("Q", at.queries, at.d_k, at.query_sd());
  const Tensor k = block.normal("K", at.keys, at.d_k);
  const Tensor s = block.matrix(at.queries, at.keys);
  forward_scores(block, at, q, k, s);
  block.chi_squared(facts.capped ? "law" : "variance", standardised_scores(block, at, q, s));
  if (facts.rows != RowNorm::none) cosines(block, at, s);
  if (facts.capped) capped(block, at, s);
}

stats::Law capped_law(const Configuration& c) {
  const CappedMoments& m = capped_moments(c.integer("d_k"), c.real("c"));
  const double a = m[0].value, b = m[1].value, c3 = m[2].value, d4 = m[3].value;
  const double v = b - a * a;
  const double third = c3 - 3 * a * b + 2 * a * a * a;
  const double fourth = d4 - 4 * a * c3 + 6 * a * a * b - 3 * a * a * a * a;
  return stats::moment(third / std::pow(v, 1.5), fourth / (v * v) - 3);
}

std::vector<Check> checks(const SchemeFacts& facts) {
  const auto expected = [&facts](const Configuration& c) {
    const SchemeCase at = scheme_case(facts, c);
    return at.variance(at.queries - 1);
  };
  if (facts.capped) {
    // A capped square costs a pair of rows: its mean is seen to a fifth of the usual precision,
    // while the law, which fixes it, is seen in full.
    const auto unit = [](const Configuration& c) {
      const CappedMoments& m = capped_moments(c.integer("d_k"), c.real("c"));
      return std::sqrt(m[1].value - m[0].value * m[0].value);
    };
    return {{.name = "law", .law = stats::scale()},
            {.name = "variance",
             .law = stats::moment(3, 12),
             .expected = expected,
             .unit = unit,
             .delta_factor = 5,
             .law_at = capped_law},
            {.name = "quadrature", .law = stats::bound()},
            {.name = "below 1", .law = stats::bound()}};
  }
  std::vector<Check> result{{.name = "variance", .law = stats::scale(), .expected = expected}};
  if (facts.rows != RowNorm::none) {
    result.push_back({.name = "cosine", .law = stats::shape(), .delta_factor = 4});
  }
  return result;
}

std::vector<std::string> planted(std::string_view scheme) {
  static const std::map<std::string_view, std::vector<std::string>> faults{
      {"absorbed", {"scale.scale_twice"}},
      {"cosine", {"scale.scale_ignored"}},
      {"inverse_layer", {"scale.scale_ignored"}},
      {"learnable", {"scale.learnable_starts_at_one", "scale.scale_ignored"}},
      {"log_n", {"scale.scale_ignored"}},
      {"mup", {"scale.mup_constant", "scale.scale_ignored"}},
      {"none", {"scale.scale_ignored"}},
      {"qk_layer_norm", {"scale.scale_missing"}},
      {"qk_rms_norm", {"scale.scale_ignored"}},
      {"qk_rms_norm_sqrt_dk", {"scale.scale_missing"}},
      {"soft_cap", {"scale.cap_shape"}},
      {"sqrt_dk",
       {"scale.sqrt_dmodel", "scale.scale_missing", "scale.root_missing", "scale.scale_twice",
        "scale.scale_divided_by_inverse", "scale.scale_zero"}},
      {"sqrt_dmodel", {"scale.scale_ignored"}},
      {"yarn", {"scale.yarn_squared", "scale.scale_ignored"}}};
  const auto found = faults.find(scheme);
  // A fault that any scheme has, so that a new one needs no line here.
  return found == faults.end() ? std::vector<std::string>{"scale.scores_half_again"}
                               : found->second;
}

std::string derivation(const SchemeFacts& facts) {
  if (facts.rows != RowNorm::none) {
    return "A normed Gaussian row is a uniform direction, and the cosine of two in e dimensions "
           "has "
           "mean square 1/e. Times a radius drawn apart it is Gaussian again, so that the exact "
           "law of "
           "a product applies.";
  }
  if (facts.capped) {
    return "c atanh(S/c) is the score before the cap, of variance 1 and known law. |c tanh(x/c)| < "
           "|x| "
           "makes the capped variance smaller; an integral over the law of a product of Gaussian "
           "rows "
           "gives its value.";
  }
  return "Given Q the columns of S are Gaussian with covariance QQᵀ times the square of the "
         "factor; "
         "whitened by a Cholesky factor their squares sum to χ²(nm), whatever Q is.";
}

Claim member(const SchemeFacts& facts) {
  const bool normed = facts.rows != RowNorm::none;
  // A cap is taken back by atanh, which is infinite where tanh has rounded to 1: narrower rows have
  // tails so heavy that this happens.
  const std::int64_t low = facts.capped ? 8 : (normed ? 3 : 1);
  Domain domain;
  domain.integer("d_k", low, 96).integer("n", 6, 32).integer("m", 24, 64);
  add_scheme_axes(domain, facts);
  domain.valid("n ≤ max(1, ⌊(d_k − 1)/2⌋)", [](Configuration& c) {
    const std::int64_t most = std::max<std::int64_t>(1, (c.integer("d_k") - 1) / 2);
    c.set("n", std::min(c.integer("n"), most));
  });
  const std::string name(facts.name);
  return Claim{
      .id = {},
      .member = name,
      .statement =
          "The scores of scheme " + name +
          " have the variance that the scheme states, for all widths, heads, layers, masks "
          "and parameters",
      .latex = std::string(facts.formula),
      .source = "section “Other options for the scaling”; “The effect of dividing by √d_k”",
      .premise = facts.scales_query
                     ? "Entries of Q′ of variance 1/d_k, of K of variance 1, all independent"
                     : "Entries of Q and K independent, standard normal",
      .derivation = derivation(facts),
      .method = facts.capped ? "L: X = c atanh(S/c), tr(Xᵀ(QQᵀ)⁻¹X) ~ χ²(nm); M and Q: E S²"
                             : "L: tr(Sᵀ(QQᵀ)⁻¹S) ~ χ²(nm), row by row in its own unit",
      .domain = domain,
      .needs = {{"scores"}},
      .checks = checks(facts),
      .sample = [&facts](Block& block) { sample(facts, block); },
      .defects = planted(facts.name),
  };
}

}  // namespace

Claims claim() {
  std::vector<Claim> members;
  for (const SchemeFacts& facts : all_schemes()) members.push_back(member(facts));
  return members;
}

}  // namespace rootdk::claims::scaling::variance
