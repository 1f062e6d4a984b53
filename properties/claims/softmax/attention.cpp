#include <rootdk/properties/claim.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace rootdk::claims::softmax::attention {
namespace {

using Real = long double;  // 11 bits more than a double, so that its own error does not count

/// A matrix of the reference: values, and bounds of the error of one that is rounded.
struct Array {
  Array(std::int64_t rows, std::int64_t cols)
      : width(static_cast<std::size_t>(cols)), data(static_cast<std::size_t>(rows) * width) {}
  Real& operator()(std::int64_t i, std::int64_t j) {
    return data[static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j)];
  }
  std::size_t width;
  std::vector<Real> data;
};

/// A matrix of the subject's, in double.
struct Given {
  double operator()(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * cols + j)];
  }
  std::span<const double> values;
  std::int64_t rows, cols;
};

struct Case {
  std::int64_t n, m, d, width;
  bool causal;
  std::array<std::int64_t, 2> lengths;
  Real f, u;
  std::int64_t seen(std::int64_t b, std::int64_t i) const {
    const std::int64_t length = lengths.at(static_cast<std::size_t>(b));
    return std::min(length, causal ? i + 1 + m - n : m);
  }
};

/// P of one head by its definition, and rho: for each query a bound of the relative error of its
/// probabilities, in any order of summation, also with a running maximum that each key may raise.
///
/// A score errs by E = (d + 4) u f Σ|q||k|: its numerator by E, the denominator by a mean of E; the
/// distances to the maximum, rescaled or not, by 2u of their size 2 max|x|; m terms are added, each
/// rescaled by an exponential of 3 roundings.
void probabilities(const Case& at, std::int64_t b, const Given& q, const Given& k, Array& p,
                   std::vector<Real>& rho) {
  for (std::int64_t i = 0; i < at.n; ++i) {
    Real top = -INFINITY;
    Real sum = 0;
    Real error = 0;
    Real largest = 0;
    const std::int64_t seen = at.seen(b, i);
    for (std::int64_t j = 0; j < seen; ++j) {
      Real x = 0;
      Real size = 0;
      for (std::int64_t c = 0; c < at.d; ++c) {
        const Real term = static_cast<Real>(q(i, c)) * k(j, c);
        x += term;
        size += std::abs(term);
      }
      p(i, j) = at.f * x;
      top = std::max(top, p(i, j));
      largest = std::max(largest, std::abs(p(i, j)));
      error = std::max(error, static_cast<Real>(at.d + 4) * at.u * at.f * size);
    }
    for (std::int64_t j = 0; j < seen; ++j) sum += p(i, j) = std::exp(p(i, j) - top);
    for (std::int64_t j = 0; j < seen; ++j) p(i, j) /= sum;
    rho[static_cast<std::size_t>(i)] =
        2 * error + at.u * (4 * largest + 4 * static_cast<Real>(at.m) + 24);
  }
}

/// Terms of higher order are less than a hundredth of the bound.
constexpr double kHigherOrder = 1.01;

void compare(Block& block, const Case& at, std::string_view check, const Given& seen, Array& exact,
             Array& bound) {
  for (std::int64_t i = 0; i < seen.rows; ++i) {
    for (std::int64_t c = 0; c < seen.cols; ++c) {
      const auto error = std::abs(static_cast<Real>(seen(i, c)) - exact(i, c));
      block.error(check, static_cast<double>(error / at.u),
                  kHigherOrder * static_cast<double>(bound(i, c) / at.u));
    }
  }
}

void forward_of(Block& block, const Case& at, const std::vector<Real>& rho, Array& p,
                const Given& v, const Given& o) {
  Array exact(at.n, at.width);
  Array bound(at.n, at.width);
  for (std::int64_t i = 0; i < at.n; ++i) {
    const Real relative = rho[static_cast<std::size_t>(i)] + at.u * static_cast<Real>(at.m + 2);
    for (std::int64_t j = 0; j < at.m; ++j) {
      for (std::int64_t c = 0; c < at.width; ++c) {
        exact(i, c) += p(i, j) * v(j, c);
        bound(i, c) += relative * p(i, j) * std::abs(v(j, c));
      }
    }
  }
  compare(block, at, "O", o, exact, bound);
}

struct Three {
  Given q, k, v;
};

/// dV = PᵀdO; dS = P ∘ (dP − D) with dP = dO Vᵀ and D = Σ P ∘ dP; dQ = f dS K, dK = f dSᵀQ. With
/// |dP| ≤ G = |dO||V|ᵀ and |D| ≤ H = Σ P ∘ G, an entry of dS errs by P times ρ + (d_v + 5) u of G + H and by
/// the error of D, (ρ + (m + 2 d_v + 6) u) H.
void backward_of(Block& block, const Case& at, const std::vector<Real>& rho, Array& p,
                 const Three& in, const Given& cotangent, const Three& seen) {
  Array dq(at.n, at.d), dk(at.m, at.d), dv(at.m, at.width);
  Array dq_bound(at.n, at.d), dk_bound(at.m, at.d), dv_bound(at.m, at.width);
  std::vector<Real> dp(static_cast<std::size_t>(at.m)), g(dp.size());
  for (std::int64_t i = 0; i < at.n; ++i) {
    const Real relative = rho[static_cast<std::size_t>(i)];
    Real mean = 0;
    Real size = 0;
    for (std::int64_t j = 0; j < at.m; ++j) {
      const auto k = static_cast<std::size_t>(j);
      dp[k] = g[k] = 0;
      for (std::int64_t c = 0; c < at.width; ++c) {
        const Real upstream = cotangent(i, c);
        dp[k] += upstream * in.v(j, c);
        g[k] += std::abs(upstream * in.v(j, c));
        dv(j, c) += p(i, j) * upstream;
        dv_bound(j, c) +=
            (relative + at.u * static_cast<Real>(at.n + 2)) * p(i, j) * std::abs(upstream);
      }
      mean += p(i, j) * dp[k];
      size += p(i, j) * g[k];
    }
    const Real of_mean = (relative + at.u * static_cast<Real>(at.m + 2 * at.width + 6)) * size;
    for (std::int64_t j = 0; j < at.m; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const Real ds = p(i, j) * (dp[k] - mean);
      const Real most = p(i, j) * (g[k] + size);
      const Real error =
          (relative + at.u * static_cast<Real>(at.width + 5)) * most + p(i, j) * of_mean;
      for (std::int64_t c = 0; c < at.d; ++c) {
        dq(i, c) += at.f * ds * in.k(j, c);
        dk(j, c) += at.f * ds * in.q(i, c);
        dq_bound(i, c) +=
            at.f * std::abs(in.k(j, c)) * (error + at.u * static_cast<Real>(at.m + 6) * most);
        dk_bound(j, c) +=
            at.f * std::abs(in.q(i, c)) * (error + at.u * static_cast<Real>(at.n + 6) * most);
      }
    }
  }
  compare(block, at, "dQ", seen.q, dq, dq_bound);
  compare(block, at, "dK", seen.k, dk, dk_bound);
  compare(block, at, "dV", seen.v, dv, dv_bound);
}

void sample(Block& block, Pass pass) {
  const std::string& mask = block.text("mask");
  const bool padded = mask == "padding" || mask == "both";
  const std::int64_t batch = block.integer("batch");
  const std::int64_t heads = block.integer("heads");
  Case at{.n = block.integer("n"),
          .m = block.integer("m"),
          .d = block.integer("d_k"),
          .width = block.integer("d_v"),
          .causal = mask == "causal" || mask == "both",
          .lengths = {},
          .f = 0,
          .u = static_cast<Real>(unit_roundoff(dtype_named(block.text("dtype"))))};
  // Every query sees a key: the first one.
  at.lengths = {padded ? 1 + at.m / 2 : at.m, at.m};
  at.f = 1 / std::sqrt(static_cast<Real>(at.d));
  Attributes a{.scheme = "sqrt_dk", .heads = heads, .causal = at.causal};
  if (padded) a.key_lengths = std::span(at.lengths).first(static_cast<std::size_t>(batch));
  const Tensor q = block.normal("Q", {batch, heads, at.n, at.d});
  const Tensor k = block.normal("K", {batch, heads, at.m, at.d});
  const Tensor v = block.normal("V", {batch, heads, at.m, at.width});
  const Tensor o = block.tensor({batch, heads, at.n, at.width});
  const Tensor cotangent = block.normal("dO", {batch, heads, at.n, at.width});
  const Tensor dq = block.tensor(q.shape);
  const Tensor dk = block.tensor(k.shape);
  const Tensor dv = block.tensor(v.shape);
  if (pass == Pass::forward) {
    block.forward("attention", a, {q, k, v}, {o});
  } else {
    block.backward("attention", a, {q, k, v, cotangent}, {dq, dk, dv});
  }
  std::vector<Real> rho(static_cast<std::size_t>(at.n));
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      const auto of = [&](const Tensor& t) {
        return Given{block.values(matrix(t, b, h)), t.rows(), t.cols()};
      };
      Array p(at.n, at.m);
      probabilities(at, b, of(q), of(k), p, rho);
      if (pass == Pass::forward) {
        forward_of(block, at, rho, p, of(v), of(o));
      } else {
        backward_of(block, at, rho, p, {of(q), of(k), of(v)}, of(cotangent),
                    {of(dq), of(dk), of(dv)});
      }
    }
  }
}

Claim member(Pass pass) {
  const bool forward = pass == Pass::forward;
  Claim claim{
      .id = {},
      .member = forward ? "forward" : "backward",
      .statement = forward ? "Attention is softmax(QKᵀ/√d_k) V at every width, length and mask"
                           : "The gradients of attention are those of its definition at every "
                             "width, length and mask",
      .latex = forward ? R"(O = \mathrm{softmax}(QK^\top/\sqrt{d_k})\,V)"
                       : R"(dS = P\circ(dP - \Sigma P\circ dP),\ dQ = dS\,K/\sqrt{d_k})",
      .source =
          "section “The effect of dividing by √d_k”; kernels work in tiles, whose ends lie at "
          "8, 16, 32, 64 and 128",
      .premise = "every query sees a key",
      .derivation =
          "The definition, entry by entry in extended precision. Each entry may err by what "
          "rounding allows in any order of summation: a score by (d_k + 4) u Σ|q||k|/√d_k, and "
          "what "
          "follows from it to first order, times 1.01 for the higher ones.",
      .method = "E: all entries against the definition, within bounds computed beside it",
      .domain = Domain()
                    .integer("n", 1, 130)
                    .integer("m", 1, 130)
                    .integer("d_k", 1, 130)
                    .integer("d_v", 1, 130)
                    .integer("batch", 1, 2)
                    .integer("heads", 1, 2)
                    .choice("mask", {"none", "causal", "padding", "both"})
                    .choice("dtype", {"f64", "f32"})
                    .valid("n ≤ m",
                           [](Configuration& c) {
                             c.set("n", std::min(c.integer("n"), c.integer("m")));
                           }),
      .needs = {{"attention", pass}},
      .checks = {},
      .sample = [pass](Block& block) { sample(block, pass); },
      .defects = {},
  };
  for (const char* name : {"O", "dQ", "dK", "dV"}) {
    if ((name[0] == 'O') == forward) claim.checks.push_back({.name = name, .law = stats::bound()});
  }
  claim.defects =
      forward ? std::vector<std::string>{"attention.keys_ignored", "attention.columns_lost",
                                         "attention.late_causal_leak", "attention.narrow_product"}
              : std::vector<std::string>{"attention.dk_columns_lost", "attention.dv_rows_lost"};
  return claim;
}

}  // namespace

Claims claim() { return std::vector{member(Pass::forward), member(Pass::backward)}; }

}  // namespace rootdk::claims::softmax::attention
