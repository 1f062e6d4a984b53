namespace rootdk {

// The kernels run here in long double, whose own rounding is far below the truncation of differences.
// Declared first: templates look a function of a built-in type up where they are defined.
inline long double re(long double x) { return x; }

}  // namespace rootdk

#include <rootdk/lib/attention/attention.hpp>
#include <rootdk/lib/attention/attention.ipp>
#include <rootdk/lib/ops/activation.ipp>
#include <rootdk/lib/ops/norm.ipp>
#include <rootdk/lib/ops/softmax.ipp>
#include <rootdk/lib/random/draws.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace rootdk {

namespace {

using Real = long double;

constexpr Eigen::Index kQueries = 4;
constexpr Eigen::Index kKeys = 5;
constexpr Eigen::Index kWidth = 3;
constexpr Eigen::Index kValues = 2;

Matrix<Real> random_matrix(Stream& stream, Eigen::Index rows, Eigen::Index cols) {
  Matrix<double> values(rows, cols);
  fill_normal<double>(stream, {values.data(), static_cast<std::size_t>(values.size())}, 0, 1);
  return values.cast<Real>();
}

struct Inputs {
  Matrix<Real> q, k, v;
  std::vector<Real> parameters;
};

Inputs random_inputs(const SchemeFacts& facts, Stream& stream) {
  Inputs in{random_matrix(stream, kQueries, kWidth),
            random_matrix(stream, kKeys, kWidth),
            random_matrix(stream, kKeys, kValues),
            {}};
  for (const SchemeParameter& p : facts.parameters) {
    in.parameters.push_back(static_cast<Real>(p.low + 0.375 * (p.high - p.low)));
  }
  return in;
}

/// in + t · direction.
Inputs moved(const Inputs& in, const Inputs& direction, Real t) {
  Inputs out{in.q + t * direction.q, in.k + t * direction.k, in.v + t * direction.v, in.parameters};
  for (std::size_t i = 0; i < out.parameters.size(); ++i) {
    out.parameters[i] += t * direction.parameters[i];
  }
  return out;
}

struct Case {
  std::string scheme;
  Mask mask;
  double epsilon;
};

HeadSettings settings(const Case& c) {
  return {.scheme = c.scheme,
          .context = {.d_k = kWidth, .d_model = 4 * kWidth, .layer = 2, .keys = 1},
          .mask = c.mask,
          .epsilon = c.epsilon};
}

/// ⟨O, cotangent⟩, or ⟨S, cotangent⟩.
Real loss(const Case& c, const Inputs& in, const Matrix<Real>& cotangent, bool scores_only) {
  Matrix<Real> p(kQueries, kKeys);
  const std::span<const Real> parameters(in.parameters);
  if (scores_only) {
    scores<Real>(settings(c), in.q, in.k, parameters, p);
    return p.cwiseProduct(cotangent).sum();
  }
  Matrix<Real> o(kQueries, kValues);
  attention<Real>(settings(c), in.q, in.k, in.v, parameters, p, o);
  return o.cwiseProduct(cotangent).sum();
}

/// The derivative along a direction by the backward pass.
Real backward_slope(const Case& c, const Inputs& in, const Inputs& u, const Matrix<Real>& cotangent,
                    bool scores_only) {
  Matrix<Real> dq(kQueries, kWidth), dk(kKeys, kWidth), dv = Matrix<Real>::Zero(kKeys, kValues);
  std::vector<Real> dp(in.parameters.size(), 0);
  const std::span<const Real> parameters(in.parameters);
  if (scores_only) {
    scores_backward<Real>(settings(c), in.q, in.k, parameters, cotangent, dq, dk, std::span(dp));
  } else {
    attention_backward<Real>(settings(c), in.q, in.k, in.v, parameters, cotangent, dq, dk, dv,
                             std::span(dp));
  }
  Real slope = dq.cwiseProduct(u.q).sum() + dk.cwiseProduct(u.k).sum() + dv.cwiseProduct(u.v).sum();
  for (std::size_t i = 0; i < dp.size(); ++i) slope += dp[i] * u.parameters[i];
  return slope;
}

Inputs random_direction(const Inputs& in, Stream& stream) {
  Inputs u{random_matrix(stream, kQueries, kWidth), random_matrix(stream, kKeys, kWidth),
           random_matrix(stream, kKeys, kValues), in.parameters};
  for (Real& value : u.parameters) value = static_cast<Real>(random_matrix(stream, 1, 1)(0, 0));
  return u;
}

/// Two central differences, Richardson's extrapolation of them and hence an error of O(h⁴), which the
/// difference of two extrapolations bounds; rounding adds u · |loss|/h.
void expect_slope(const Case& c, bool scores_only) {
  Stream stream(hash(c.scheme + (c.mask.causal ? "causal" : "")));
  const Inputs in = random_inputs(scheme(c.scheme), stream);
  const Inputs u = random_direction(in, stream);
  const Matrix<Real> cotangent = random_matrix(stream, kQueries, scores_only ? kKeys : kValues);
  const auto central = [&](Real h) {
    return (loss(c, moved(in, u, h), cotangent, scores_only) -
            loss(c, moved(in, u, -h), cotangent, scores_only)) /
           (2 * h);
  };
  const auto extrapolated = [&](Real h) { return (4 * central(h / 2) - central(h)) / 3; };
  constexpr Real h = 0x1p-10L;
  const Real fine = extrapolated(h / 2);
  const Real coarse = extrapolated(h);
  const Real size = cotangent.cwiseAbs().sum() * 128;  // scores here are below 128
  const Real allowed = std::abs(fine - coarse) + size * 0x1p-64L / h * 64;
  EXPECT_NEAR(static_cast<double>(backward_slope(c, in, u, cotangent, scores_only)),
              static_cast<double>(fine), static_cast<double>(allowed))
      << c.scheme << " causal " << c.mask.causal << " length " << c.mask.key_length;
}

TEST(Attention, BackwardOfEverySchemeAgreesWithDifferences) {
  for (const SchemeFacts& facts : all_schemes()) {
    for (const bool causal : {false, true}) {
      for (const std::int64_t length : {-1, 3, 0}) {
        const Case c{std::string(facts.name), {.causal = causal, .key_length = length}, 0.25};
        expect_slope(c, false);
        expect_slope(c, true);
      }
    }
  }
}

TEST(Attention, TableOfFactors) {
  const ScoreContext at{.d_k = 16, .d_model = 64, .layer = 3, .keys = 8};
  const auto variance = [&](std::string_view name, std::vector<double> p) {
    return scheme(name).variance(at, p);
  };
  EXPECT_EQ(variance("none", {}), 16);
  EXPECT_EQ(variance("sqrt_dk", {}), 1);
  EXPECT_EQ(variance("sqrt_dmodel", {}), 0.25);
  EXPECT_EQ(variance("learnable", {0.5}), 4);
  EXPECT_EQ(variance("mup", {2}), 0.25);
  EXPECT_EQ(variance("inverse_layer", {}), 1.0 / 16);
  EXPECT_EQ(variance("qk_rms_norm", {}), 16);
  EXPECT_EQ(variance("qk_layer_norm", {}), 16.0 / 15);
  EXPECT_EQ(variance("log_n", {1}), std::log(8.0) * std::log(8.0));
}

TEST(Attention, ClampedCosineHasTauOf100AndNoGradient) {
  const Case c{"cosine", {}, 0};
  Stream stream(hash("clamp"));
  Inputs in = random_inputs(scheme("cosine"), stream);
  in.parameters = {5};
  const Matrix<Real> ds = random_matrix(stream, kQueries, kKeys);
  Matrix<Real> dq(kQueries, kWidth), dk(kKeys, kWidth);
  std::vector<Real> dp{0};
  scores_backward<Real>(settings(c), in.q, in.k, std::span<const Real>(in.parameters), ds, dq, dk,
                        std::span(dp));
  EXPECT_EQ(dp[0], 0);
  EXPECT_GT(dq.norm(), 0);
  Matrix<Real> s(kQueries, kKeys);
  scores<Real>(settings(c), in.q, in.q.row(0).replicate(kKeys, 1).eval(),
               std::span<const Real>(in.parameters), s);
  EXPECT_FLOAT_EQ(static_cast<float>(s(0, 0)), 100.0F);
}

TEST(Attention, SoftCapVarianceTendsToOneFromBelow) {
  const SchemeFacts& facts = scheme("soft_cap");
  double before = 0;
  for (const double cap : {1.0, 2.0, 8.0, 32.0, 1024.0}) {
    const double variance = facts.variance({.d_k = 64}, std::vector{cap});
    EXPECT_GT(variance, before);
    EXPECT_LT(variance, 1);
    before = variance;
  }
  // 1 − 2 E x⁴/(3c²) + …, E x⁴ = 3 + 6/d: an alternating series.
  EXPECT_GT(before, 1 - 2 * (3 + 6.0 / 64) / (3 * 1024.0 * 1024.0));
}

TEST(Attention, UnknownSchemesAndWrongParametersAreNamed) {
  EXPECT_THROW(scheme("sqrt"), std::invalid_argument);
  const Matrix<double> q = Matrix<double>::Ones(1, 2);
  Matrix<double> s(1, 1);
  EXPECT_THROW(scores<double>({.scheme = "mup"}, q, q, {}, s), std::invalid_argument);
}

}  // namespace
}  // namespace rootdk
