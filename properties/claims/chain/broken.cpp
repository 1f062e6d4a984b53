#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>
#include <rootdk/stats/distributions.hpp>
#include <rootdk/stats/quadrature.hpp>

#include <fmt/format.h>

namespace rootdk::claims::chain::broken {
namespace {

/// Variance of an entry of the query and of the key, with the link broken, per unit mean square of
/// the row that is projected.
struct Sides {
  double query = 1, key = 1;
};
Sides sides(const Configuration& at) {
  const auto n = static_cast<double>(at.integer("n_in"));
  const auto d = static_cast<double>(at.integer("d_k"));
  const double s = at.real("scale");
  const std::string& link = at.text("link");
  if (link == "no_norm") return {s * s, s * s};
  if (link == "one_unit_weight") return {n, 1};
  if (link == "both_unit_weights") return {n, n};
  if (link == "glorot_one_head") return {2 * n / (n + d), 2 * n / (n + d)};
  return {};  // gain: given x, by the rows
}

/// x̂ as it should be, or γ ⊙ x̂; without a norm the rows have root mean square `scale` exactly.
void scores(Block& block, const Tensor& gamma, bool normed, bool gained) {
  const auto n = block.integer("n_in");
  const auto d = block.integer("d_k");
  const auto m = std::max<std::int64_t>(1, std::min(n, d) * 3 / 4);
  const Sides factor = sides(block.configuration());
  const Tensor unit = unit_rms_rows(block, block.normal("x", m, n));
  const Tensor x = block.matrix(m, n);
  copy(x, unit);
  multiply(x, block.real("scale"));
  const Tensor input = block.matrix(m, n);
  if (normed) {
    block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {input});
  } else {
    copy(input, x);
  }
  // A unit weight or Glorot's is what the broken side's variance comes from.
  const auto weight_sd = [&](double side) {
    return std::sqrt((normed ? side : 1) / static_cast<double>(n));
  };
  for (std::int64_t i = 0; gained && i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      set_element(unit, i, j, element(unit, i, j) * element(gamma, 0, j));
    }
  }
  const auto rows = block.values(unit);
  const double query_sd = std::sqrt(factor.query / static_cast<double>(n));
  const double key_sd = std::sqrt(factor.key / static_cast<double>(n));
  for (std::int64_t draw = 0; draw < std::max<std::int64_t>(1, 1000 / (m * m)); ++draw) {
    const Tensor q = block.matrix(m, d);
    const Tensor k = block.matrix(m, d);
    const Tensor s = block.matrix(m, m);
    const Tensor w_q = block.normal(fmt::format("W_Q {}", draw), n, d, weight_sd(factor.query));
    const Tensor w_k = block.normal(fmt::format("W_K {}", draw), n, d, weight_sd(factor.key));
    block.forward("linear", {}, {input, w_q}, {q});
    block.forward("linear", {}, {input, w_k}, {k});
    block.forward("scores", {.scheme = "sqrt_dk"}, {q, k}, {s});
    const auto queries = block.values(q);
    block.chi_squared("queries", stats::whitened_scores({queries, m, d}, rows, query_sd));
    block.chi_squared("scores", stats::whitened_chain({block.values(s), m, m}, queries, rows,
                                                      key_sd / std::sqrt(static_cast<double>(d))));
  }
}

/// Averages over x̂ uniform on the sphere are exact for polynomials of degree 5 by the rows √n e_j
/// with weight 2/(n+2) in all and sign rows with weight n/(n+2) (Stroud, 1971): so the mean of
/// ms(γx̂), which is the score's variance for i ≠ j, and of its square, for i = j.
void gain_averages(Block& block, const Tensor& gamma) {
  const auto n = block.integer("n_in");
  const auto fan = static_cast<double>(n);
  const Tensor x = block.matrix(n + 1, n);
  for (std::int64_t i = 0; i <= n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      set_element(x, i, j, i == n ? (j % 3 == 0 ? -1 : 1) : (i == j ? block.real("scale") : 0));
    }
  }
  const Tensor y = block.matrix(n + 1, n);
  block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {y});
  const auto ys = block.values(y);
  long double mean = 0, square = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const long double ms = row_moments(row_of(ys, i, n)).mean_square;
    mean += 2 / (fan + 2) * ms / fan;
    square += 2 / (fan + 2) * ms * ms / fan;
  }
  const long double ms = row_moments(row_of(ys, n, n)).mean_square;
  mean += fan / (fan + 2) * ms;
  square += fan / (fan + 2) * ms * ms;
  long double second = 0, fourth = 0;
  for (const double g : block.values(gamma)) {
    second += static_cast<long double>(g) * g;
    fourth += static_cast<long double>(g) * g * g * g;
  }
  const long double expected = (second / fan) * (second / fan) +
                               2 * fan / (fan + 2) * (fourth - second * second / fan) / (fan * fan);
  // Entries are right to n/2 + 7 roundings (norm.rms), mean squares to twice that, squares to four
  // times; weights and constants 4.
  const double tolerance = 2 * fan + 32;
  block.close("apart", static_cast<double>(mean * mean),
              static_cast<double>((second / fan) * (second / fan)),
              static_cast<double>(mean * mean), tolerance, "i ≠ j");
  block.close("own_key", static_cast<double>(square), static_cast<double>(expected),
              static_cast<double>(square), tolerance, "i = j");
}

/// Without a norm E ms² of Gaussian rows, ms ~ s² χ²(n)/n, by quadrature of its density.
void gaussian_averages(Block& block) {
  const auto n = static_cast<double>(block.integer("n_in"));
  const double s = block.real("scale");
  const double top = 4 * n + 200;  // the mass of χ²(n) beyond is below e^−60
  const auto average = [&](int power) {
    return stats::integrate(
        [&](double t) {
          return std::pow(s * s * t / n, power) *
                 std::exp((n / 2 - 1) * std::log(t / 2) - t / 2 - stats::log_gamma(n / 2)) / 2;
        },
        0, top);
  };
  const stats::Integral one = average(1);
  const stats::Integral two = average(2);
  const double fourth = s * s * s * s;
  // The logarithm of the density is right to about n roundings: terms of size n ln n.
  const double tolerance = n * std::log(n) + 8;
  const double u = unit_roundoff(block.dtype());
  block.close("apart", one.value * one.value, fourth, fourth,
              2 * tolerance + 2 * one.error / (one.value * u), "i ≠ j");
  block.close("own_key", two.value, fourth * (1 + 2 / n), fourth * (1 + 2 / n),
              tolerance + two.error / (two.value * u), "i = j");
}

void sample(Block& block) {
  const std::string& link = block.text("link");
  const Tensor gamma = block.matrix(1, block.integer("n_in"));
  fill(gamma, 1);
  if (link == "gain") copy(gamma, random_gains(block, "gamma", block.integer("n_in")));
  scores(block, gamma, link != "no_norm", link == "gain");
  if (link == "no_norm") {
    gaussian_averages(block);
  } else {
    gain_averages(block, gamma);
  }
}

}  // namespace

Claims claim() {
  return Claim{
      .statement =
          "Break a link of the chain and the scores' variance is exactly the predicted "
          "one: no norm, inputs of variance s², s⁴ (a query with its own key, Gaussian, "
          "s⁴(1 + 2/n)); one weight of variance 1, n; both, n²; a gain γ, (mean γ²)²; "
          "Glorot on one head's D × d_k, (2D/(D + d_k))², 3.16 for 512 and 64",
      .latex = R"(s^4,\quad n_\mathrm{in},\quad n_\mathrm{in}^2,\quad (\overline{\gamma^2})^2,)"
               R"(\quad \Big(\frac{2D}{D+d_k}\Big)^2)",
      .source =
          "section “A deeper layer: √d_k and initialisation”: “if any link of this chain is "
          "broken, √d_k is no longer the right scale”",
      .premise = "Gaussian W_Q, W_K, independent of each other and of x; ε = 0",
      .derivation =
          "Given the projected rows, Var(S_ij) is the product of the query's and the key's "
          "variances n σ² ms, averaged over x. For i = j both have the same ms, so that "
          "its mean square stands in place of the squared mean: + 2s⁴/n for Gaussian rows "
          "and + 2n/(n+2) · (Σγ⁴ − (Σγ²)²/n)/n² for a gain.",
      .method =
          "L: the two χ² of chain.full against the predicted factors; I: averages over x by a "
          "cubature of degree 5, and by quadrature",
      .domain = Domain()
                    .integer("n_in", 4, 64)
                    .integer("d_k", 3, 64)
                    .real("scale", 0.25, 3, 0.125)
                    .choice("link", {"no_norm", "one_unit_weight", "both_unit_weights", "gain",
                                     "glorot_one_head"}),
      .needs = {{"rms_norm"}, {"linear"}, {"scores"}},
      .checks = {{.name = "queries",
                  .law = stats::scale(),
                  .expected = [](const Configuration& at) { return sides(at).query; }},
                 {.name = "scores",
                  .law = stats::scale(),
                  .expected = [](const Configuration& at) { return sides(at).key; },
                  .delta_factor = 1.5},
                 {.name = "apart", .law = stats::bound()},
                 {.name = "own_key", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.length_one", "numbers.tail_dropped", "scale.root_missing"},
  };
}

}  // namespace rootdk::claims::chain::broken
