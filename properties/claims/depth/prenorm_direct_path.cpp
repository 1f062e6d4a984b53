#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/claims/norm/row.hpp>
#include <rootdk/stats/distributions.hpp>

#include <fmt/format.h>

namespace rootdk::claims::depth::prenorm_direct_path {
namespace {

/// Pre-norm layers whose branches are 0: what is left of the gradient is the direct path.
void prenorm(Block& block, const Tensor& gamma) {
  const auto n = gamma.cols();
  const Tensor x = block.normal("x", 1, n);
  const Tensor zero = block.matrix(n, n);
  fill(zero, 0);
  const Tensor dy = block.normal("dy", 1, n);
  const Tensor v = block.matrix(1, n);
  copy(v, dy);
  for (std::int64_t l = 0; l < block.integer("L"); ++l) {
    const Tensor normed = block.matrix(1, n);
    const Tensor dnormed = block.matrix(1, n);
    const Tensor branch = block.matrix(1, n);
    const Tensor dw = block.matrix(n, n);
    const Tensor dgamma = block.matrix(1, n);
    block.forward("rms_norm", {.epsilon = 0}, {x, gamma}, {normed});
    block.backward("linear", {}, {normed, zero, v}, {dnormed, dw});
    block.backward("rms_norm", {.epsilon = 0}, {x, gamma, dnormed}, {branch, dgamma});
    add_scaled(v, 1, branch);
  }
  for (std::int64_t j = 0; j < n; ++j) {
    block.holds("prenorm", element(v, 0, j) == element(dy, 0, j), "dx = dy bit for bit");
  }
}

/// dy less its parts along the rows, in extended precision and twice, so that a norm's backward pass
/// takes nothing from it: r (dy − x̂ mean(dy x̂)) is r dy.
Tensor orthogonal(Block& block, const std::vector<Tensor>& rows) {
  const auto n = rows.front().cols();
  std::vector<std::vector<long double>> basis;
  const auto remove = [&](std::vector<long double>& v) {
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& b : basis) {
        long double part = 0;
        for (std::size_t j = 0; j < v.size(); ++j) part += v[j] * b[j];
        for (std::size_t j = 0; j < v.size(); ++j) v[j] -= part * b[j];
      }
    }
  };
  for (const Tensor& row : rows) {
    const auto values = block.values(row);
    std::vector<long double> v(values.begin(), values.end());
    remove(v);
    long double square = 0;
    for (const long double e : v) square += e * e;
    for (long double& e : v) e /= std::sqrt(square);
    basis.push_back(std::move(v));
  }
  const auto start = block.values(block.normal("post dy", 1, n));
  std::vector<long double> v(start.begin(), start.end());
  remove(v);
  return block.row(std::vector<double>(v.begin(), v.end()));
}

void postnorm(Block& block, const Tensor& gamma) {
  const auto n = gamma.cols();
  const auto width = static_cast<double>(n);
  const double v = block.real("v");
  Tensor x = unit_rms_rows(block, block.normal("post x", 1, n));
  std::vector<Tensor> sums;
  std::vector<double> squares;
  double path = 1;
  double largest = 0;
  for (std::int64_t l = 0; l < block.integer("L"); ++l) {
    const Tensor sum = block.matrix(1, n);
    const Tensor next = block.matrix(1, n);
    const Tensor w = block.normal(fmt::format("W {}", l), n, n, std::sqrt(v / width));
    block.forward("linear", {}, {x, w}, {sum});
    add_scaled(sum, 1, x);
    block.forward("rms_norm", {.epsilon = 0}, {sum, gamma}, {next});
    const RowMoments m = row_moments(block.values(sum));
    const auto ms = static_cast<double>(m.mean_square);
    // n ms/v is noncentral χ²(n) of parameter n/v: mean 1 + v, variance (4v + 2v²)/n.
    squares.push_back((ms - (1 + v)) / std::sqrt((4 * v + 2 * v * v) / width));
    path /= std::sqrt(ms);
    largest = std::max(largest, m.largest / std::sqrt(ms));
    sums.push_back(sum);
    x = next;
  }
  block.standardised("mean_square", stats::Independent{squares});
  Tensor g = orthogonal(block, sums);
  const auto start = block.values(g);
  const auto rms = static_cast<double>(std::sqrt(row_moments(start).mean_square));
  for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum) {
    const Tensor dx = block.matrix(1, n);
    const Tensor dgamma = block.matrix(1, n);
    block.backward("rms_norm", {.epsilon = 0}, {*sum, gamma, g}, {dx, dgamma});
    g = dx;
  }
  // norm.gradient: each layer adds 2.5 n + 25 roundings of |g_j| + |x̂_j| mean|g x̂|, the second at
  // most max|x̂| RMS(g); what rounding g left along x̂ is one more of the same.
  const double tolerance = static_cast<double>(sums.size()) * (2.5 * width + 27);
  for (std::size_t j = 0; j < start.size(); ++j) {
    block.close("postnorm", element(g, 0, static_cast<std::int64_t>(j)), path * start[j],
                path * (std::abs(start[j]) + largest * rms), tolerance, "Π 1/RMS_l dy");
  }
}

/// E ln χ'²(n, λ)/n is a Poisson(λ/2) average of ψ(n/2 + j) + ln 2 − ln n. For v = 1 it is
/// ln 2 − 3/(4n) − .35/n² …, so that the path is 2^(−L/2) e^(3L/8n) to a relative L/(2n²).
void limit(Block& block) {
  const auto n = static_cast<double>(block.integer("n"));
  const auto layers = static_cast<double>(block.integer("L"));
  double log_square = 0;
  for (int j = 0; j < 40 + 4 * block.integer("n"); ++j) {
    const double weight = std::exp(j * std::log(n / 2) - n / 2 - stats::log_gamma(j + 1));
    log_square += weight * (stats::digamma(n / 2 + j) + std::log(2 / n));
  }
  const double path = -layers / 2 * log_square;
  const double stated = -layers / 2 * std::log(2) + 3 * layers / (8 * n);
  block.error("limit", std::abs(path - stated), layers / (2 * n * n));
}

void sample(Block& block) {
  const Tensor gamma = block.matrix(1, block.integer("n"));
  fill(gamma, 1);
  prenorm(block, gamma);
  postnorm(block, gamma);
  limit(block);
}

double variance(const Configuration& at) {
  const double v = at.real("v");
  return (4 * v + 2 * v * v) / static_cast<double>(at.integer("n"));
}

stats::Law mean_square_law(const Configuration& at) {
  const auto n = static_cast<double>(at.integer("n"));
  const double v = at.real("v");
  const auto cumulant = [&](int k) {  // 2^(k−1) (k−1)! (n + kλ) (v/n)^k, λ = n/v
    return std::pow(2, k - 1) * std::tgamma(k) * (n + k * n / v) * std::pow(v / n, k);
  };
  return stats::moment(cumulant(3) / std::pow(variance(at), 1.5),
                       cumulant(4) / std::pow(variance(at), 2));
}

}  // namespace

Claims claim() {
  Configuration skewest;  // of the domain: what the pooled test is planned for
  skewest.set("n", std::int64_t{24});
  skewest.set("v", 2.0);
  return Claim{
      .statement =
          "The direct path of pre-norm layers passes the gradient unchanged, exactly; that "
          "of post-norm layers multiplies it by Π 1/RMS_l, (1 + v)^(−L/2) as n → ∞ (for v = "
          "1 typically × e^(3L/8n))",
      .latex = R"(\text{pre: } 1,\qquad \text{post: } \prod_l 1/\mathrm{RMS}_l \to (1+v)^{-L/2})",
      .source =
          "section “Gradient stability in the backward pass”: “the gradient on the direct path "
          "of the residual is not touched by the norm”",
      .premise = "Branches of variance v on rows of RMS 1, Gaussian weights, ε = 0, γ = 1",
      .derivation =
          "In x + f(rms(x)) the identity stands outside the norm: its gradient is 1. In "
          "rms(x + f(x)) every layer divides by the root of 1 + v. A gradient orthogonal "
          "to the normed rows shows the product alone, since the rest of a norm's "
          "Jacobian acts along its input.",
      .method =
          "I: bit for bit, and against the product, error bound in u; M: mean square of the "
          "sum; Q: its mean logarithm by a Poisson mixture of digammas",
      .domain = Domain().integer("n", 24, 64).integer("L", 1, 12).real("v", 0.25, 2, 0.25),
      .needs = {{"rms_norm"}, {"rms_norm", Pass::backward}, {"linear"}, {"linear", Pass::backward}},
      .checks = {{.name = "prenorm", .law = stats::bound()},
                 {.name = "postnorm", .law = stats::bound()},
                 // A standard deviation is about 0.3 of a mean square of 2: ten hundredths are 2 %.
                 {.name = "mean_square",
                  .law = mean_square_law(skewest),
                  .expected = [](const Configuration& at) { return 1 + at.real("v"); },
                  .unit = [](const Configuration& at) { return std::sqrt(variance(at)); },
                  .delta_factor = 10,
                  .law_at = mean_square_law},
                 {.name = "limit", .law = stats::bound()}},
      .sample = sample,
      .defects = {"numbers.length_one", "numbers.tail_dropped"},
  };
}

}  // namespace rootdk::claims::depth::prenorm_direct_path
