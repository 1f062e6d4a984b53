#include <rootdk/properties/gradient/claims.hpp>
#include <rootdk/properties/gradient/draw.hpp>
#include <rootdk/properties/gradient/witness.hpp>
#include <rootdk/properties/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace rootdk {
namespace {

// Tolerance of W3 in units of the root-sum-square running error. Independent roundings of standard
// deviation u/√3 at most give a factor of 8√3 standard deviations; what is left covers roundings
// that are shared by many terms of a sum.
constexpr double kRunning = 8;
// The bound is one of first order; the second is a product of two errors of fewer operations than
// this.
constexpr double kSecondOrder = 1024;
// W4: stages that are stable stay within this many roundoffs of their inputs and results.
constexpr double kStable = 16;
constexpr std::size_t kProbes = 16;

/// Accuracy of a dtype, in which sums may be kept wider than the results.
struct Precision {
  double accumulate;  ///< unit roundoff of the arithmetic
  double flush;       ///< its smallest normal number
  double store;       ///< unit roundoff of the result, 0 if it is the same
  double store_flush;
  double largest;
};

Precision precision(Dtype dtype) {
  constexpr double float_flush = std::numeric_limits<float>::min();
  switch (dtype) {
    case Dtype::f32:
      return {0x1p-24, float_flush, 0, 0, std::numeric_limits<float>::max()};
    case Dtype::f16:  // sums in float, results rounded once
      return {0x1p-24, float_flush, 0x1p-11, 0x1p-25, 65504};
    case Dtype::bf16:
      return {0x1p-24, float_flush, 0x1p-8, float_flush, std::numeric_limits<float>::max()};
    default:
      return {0x1p-53, std::numeric_limits<double>::min(), 0, 0,
              std::numeric_limits<double>::max()};
  }
}

/// The subject's backward pass in the dtype of the configuration, for given cotangents.
class Backward {
 public:
  Backward(Block& block, const GradientCase& at)
      : block_(block), at_(at), dtype_(dtype_named(block.text("dtype"))) {
    for (std::size_t k = 0; k < at.inputs.size(); ++k) {
      in_.push_back(filled(at.instance.inputs[k].shape, at.inputs[k], 1));
    }
  }

  Dtype dtype() const { return dtype_; }

  std::vector<Values> operator()(double factor) {
    std::vector<Tensor> in = in_;
    for (std::size_t k = 0; k < at_.cotangents.size(); ++k) {
      in.push_back(filled(at_.instance.outputs[k], at_.cotangents[k], factor));
    }
    std::vector<Tensor> out;
    for (const Operand& operand : at_.instance.inputs) {
      out.push_back(block_.tensor(operand.shape, dtype_));
      // What is not written shows.
      fill(out.back(), std::numeric_limits<double>::quiet_NaN());
    }
    block_.subject().call(at_.operation->op, Pass::backward, at_.attributes(), in, out);
    std::vector<Values> result;
    for (const Tensor& tensor : out) {
      const auto values = block_.values(tensor);
      result.emplace_back(values.begin(), values.end());
    }
    return result;
  }

 private:
  Tensor filled(const Shape& shape, const Values& values, double factor) {
    const Tensor result = block_.tensor(shape, dtype_);
    visit_dtype(dtype_, [&]<class T>(T) {
      std::ranges::transform(values, static_cast<T*>(result.data),
                             [&](double value) { return static_cast<T>(value * factor); });
    });
    return result;
  }

  Block& block_;
  const GradientCase& at_;
  Dtype dtype_;
  std::vector<Tensor> in_;
};

std::string place(const GradientCase& at, std::size_t k, std::size_t i) {
  return fmt::format("d{}[{}]", at.instance.inputs[k].name, i);
}

bool has_wide(const Block& block, const std::string& op) {
  for (const Dtype dtype : {Dtype::r50, Dtype::d50}) {
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      if (!block.subject().has({op, pass, dtype})) return false;
    }
  }
  return true;
}

void wide_checks(Block& block, const GradientCase& at, const RoundingBounds& rounding) {
  const auto say = [&](std::string_view check, const WideComparison& seen, const char* what) {
    block.error(check, seen.difference, seen.tolerance,
                fmt::format("{}, {:.2e} of Σ|gu|", what, std::ldexp(seen.difference, -168)));
  };
  const Subject& subject = block.subject();
  say("W1 formula", adjoint(subject, at, rounding), "⟨Ju, w⟩ − ⟨u, Jᵀw⟩");
  say("W2 difference", independence(subject, at, rounding), "Δ⟨w, f⟩ − ⟨u, Jᵀw⟩");
  const HessianComparison second = hessian(subject, at, rounding);
  say("W5 hessian", second.symmetry, "uᵀHv − vᵀHu");
  say("W5 hessian", second.forward, "uᵀHv − Δ⟨Ju, w⟩");
}

/// Conditioning of each entry, from random changes.
std::vector<Values> conditioning_of(Block& block, const GradientCase& at) {
  std::array<std::uint64_t, kProbes> seeds{};
  Stream source = block.stream("probes");
  std::ranges::generate(seeds, source);
  return conditioning(at, seeds);
}

/// What a stable algorithm may err by, whichever it is: some roundings of the conditioning, and
/// products of two of them where that vanishes.
double stable_error(double u, double scale, double terms) {
  return kStable * u * (scale + kStable * u * terms);
}

/// A unit of roundoff for values of a size; of 1 where the size is too small to be divided by.
double roundoff_of(double u, double size) {
  return u * size >= std::numeric_limits<double>::min() ? u * size : u;
}

/// |seen − exact| with the exact value in two parts.
double error_of(double seen, double high, double low) {
  return seen == high && low == 0 ? 0 : std::abs((seen - high) - low);
}

/// Error that is allowed each entry: that of the library's algorithm.
std::vector<Values> allowed_errors(const Precision& p, const RoundingBounds& rounding,
                                   const WideGradient& exact) {
  std::vector<Values> allowed = rounding.bound;
  for (std::size_t k = 0; k < allowed.size(); ++k) {
    for (std::size_t i = 0; i < allowed[k].size(); ++i) {
      const double g = exact.high[k][i];
      const double running = std::min(kRunning * rounding.spread[k][i],
                                      rounding.bound[k][i] * (1 + kSecondOrder * p.accumulate));
      allowed[k][i] = p.accumulate * running + p.flush * rounding.flush[k][i] +
                      (g == 0 && running == 0 ? 0 : p.store * std::abs(g) + p.store_flush);
    }
  }
  return allowed;
}

/// The formula of another implementation is not known, so that its own running error is not. As
/// well as the library's, it may err by what any stable algorithm may.
void allow_other_algorithms(const Precision& p, const RoundingBounds& rounding,
                            const std::vector<Values>& scales, std::vector<Values>& allowed) {
  for (std::size_t k = 0; k < allowed.size(); ++k) {
    for (std::size_t i = 0; i < allowed[k].size(); ++i) {
      const double stable =
          stable_error(std::max(p.accumulate, p.store), scales[k][i], rounding.bound[k][i]);
      allowed[k][i] = std::max(allowed[k][i], stable + p.flush * rounding.flush[k][i]);
    }
  }
}

void rounding_check(Block& block, const GradientCase& at, const Precision& p,
                    const WideGradient& exact, const std::vector<Values>& allowed,
                    const std::vector<Values>& seen) {
  const double u = unit_roundoff(dtype_named(block.text("dtype")));
  for (std::size_t k = 0; k < seen.size(); ++k) {
    for (std::size_t i = 0; i < seen[k].size(); ++i) {
      const double g = exact.high[k][i];
      if (std::abs(g) > p.largest / 2) continue;  // overflow is no question of rounding
      const double error = error_of(seen[k][i], g, exact.low[k][i]);
      const double unit = roundoff_of(u, std::abs(g));
      block.error("W3 rounding", error / unit, allowed[k][i] / unit,
                  fmt::format("{}: {}, at 50 digits {}", place(at, k, i), exact_text(seen[k][i]),
                              exact_text(g)));
    }
  }
}

void stability_check(Block& block, const GradientCase& at, const Precision& p,
                     const RoundingBounds& rounding, const WideGradient& exact,
                     const std::vector<Values>& scales, const std::vector<Values>& seen) {
  const double u = std::max(p.accumulate, p.store);
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const auto width = static_cast<std::size_t>(at.instance.inputs[k].shape[3]);
    for (std::size_t row = 0; row < seen[k].size(); row += width) {
      double scale = 0;
      double terms = 0;  // of which products of two roundings are left where the scale vanishes
      double error = 0;
      double flush = 0;
      for (std::size_t i = row; i < row + width; ++i) {
        if (std::abs(exact.high[k][i]) > p.largest / 2) continue;
        scale = std::max(scale, scales[k][i]);
        terms = std::max(terms, rounding.bound[k][i]);
        error = std::max(error, error_of(seen[k][i], exact.high[k][i], exact.low[k][i]));
        if (std::isnan(seen[k][i])) error = std::numeric_limits<double>::infinity();
        flush = std::max(flush, rounding.flush[k][i] * p.flush + (scale > 0 ? p.store_flush : 0));
      }
      const double unit = roundoff_of(u, scale);
      block.error("W4 stability", error / unit, (stable_error(u, scale, terms) + flush) / unit,
                  fmt::format("row of {}: {:.2e} of a conditioning of {:.2e}", place(at, k, row),
                              error, scale));
    }
  }
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void cotangent_checks(Block& block, const GradientCase& at, const Precision& p, Backward& backward,
                      const std::vector<Values>& seen) {
  const auto zero = backward(0);
  const auto twice = backward(2);
  const auto negated = backward(-1);
  const auto again = backward(1);
  // Below this a doubled number may round otherwise.
  const double tiny = std::max(p.store_flush > 0 ? 0x1p-14 : 0.0, p.flush * 0x1p30);
  for (std::size_t k = 0; k < seen.size(); ++k) {
    for (std::size_t i = 0; i < seen[k].size(); ++i) {
      const double g = seen[k][i];
      const std::string where = place(at, k, i);
      block.holds("W5 structure", zero[k][i] == 0, where + ": not 0 for a cotangent of 0");
      block.holds("W5 structure", same_bits(g, again[k][i]),
                  where + ": another value when repeated");
      block.holds("W5 structure", negated[k][i] == -g, where + ": not odd in the cotangent");
      if (std::abs(g) > p.largest / 4) continue;
      if (std::abs(g) <= tiny && std::abs(twice[k][i]) <= 2 * tiny) continue;
      block.holds("W5 structure", twice[k][i] == 2 * g,
                  twice[k][i] == 2 * g ? std::string()
                                       : fmt::format("{}: {} for twice the cotangent of {}", where,
                                                     exact_text(twice[k][i]), exact_text(g)));
    }
  }
}

void identity_checks(Block& block, const GradientCase& at, const Precision& p,
                     const RoundingBounds& rounding, const std::vector<Values>& allowed,
                     const std::vector<Values>& seen) {
  if (!at.operation->identities) return;
  const GradientValues values{at.instance, at.inputs, at.cotangents, seen};
  for (const Identity& identity : at.operation->identities(values)) {
    double sum = 0;
    double tolerance = 0;
    const auto add = [&](std::size_t k, std::size_t i, double weight) {
      const double g = seen[k][i];
      sum += weight * g;
      const double own = p.accumulate * rounding.bound[k][i] + p.flush * rounding.flush[k][i] +
                         p.store * std::abs(g) + (rounding.bound[k][i] > 0 ? p.store_flush : 0);
      // The entry's own rounding, and that of this sum.
      tolerance += std::abs(weight) * (std::max(own, allowed[k][i]) +
                                       static_cast<double>(identity.count) * 0x1p-53 * std::abs(g));
      if (std::abs(g) > p.largest / 2) tolerance = std::numeric_limits<double>::infinity();
    };
    for (std::size_t c = 0; c < identity.count; ++c) {
      const std::size_t i = identity.first + c * identity.stride;
      add(identity.input, i, identity.weights.empty() ? 1 : identity.weights[c]);
    }
    for (std::size_t i = 0; i < identity.minus_weights.size(); ++i) {
      add(static_cast<std::size_t>(identity.minus), i, -identity.minus_weights[i]);
    }
    if (std::isinf(tolerance)) continue;
    const double u = std::max(p.accumulate, p.store);
    block.error("W5 structure", std::abs(sum) / u, tolerance / u,
                fmt::format("{}: {}", identity.name, exact_text(sum)));
  }
}

void kink_check(Block& block, const GradientCase& drawn) {
  GradientCase at = drawn;
  std::ranges::fill(at.inputs[0], 0.0);
  const auto seen = Backward(block, at)(1);
  const OneSided slopes = one_sided(oracle(), at);
  const Precision p = precision(dtype_named(block.text("dtype")));
  for (std::size_t i = 0; i < seen[0].size(); ++i) {
    // The left slope is the documented one; two products are rounded, constants included.
    const double unit = roundoff_of(std::max(p.accumulate, p.store),
                                    std::max(std::abs(slopes.left[i]), std::abs(slopes.right[i])));
    block.error("kink", std::abs(seen[0][i] - slopes.left[i]) / unit, 4 + p.store_flush / unit,
                fmt::format("{:.17g} at 0, slopes {:.17g} and {:.17g}", seen[0][i], slopes.left[i],
                            slopes.right[i]));
  }
}

void sample(Block& block, const Operation& operation) {
  const GradientCase at = draw_gradient_case(
      operation, block.configuration(), [&](std::string_view role) { return block.stream(role); });
  const RoundingBounds rounding = backward_rounding(at);
  const bool wide = has_wide(block, operation.op);
  if (wide) wide_checks(block, at, rounding);
  const WideGradient exact = wide_gradient(oracle(), at);
  Backward backward(block, at);
  const Precision p = precision(backward.dtype());
  const auto seen = backward(1);
  const std::vector<Values> scales = conditioning_of(block, at);
  std::vector<Values> allowed = allowed_errors(p, rounding, exact);
  if (!wide) allow_other_algorithms(p, rounding, scales, allowed);
  rounding_check(block, at, p, exact, allowed, seen);
  stability_check(block, at, p, rounding, exact, scales, seen);
  cotangent_checks(block, at, p, backward, seen);
  identity_checks(block, at, p, rounding, allowed, seen);
  if (operation.kinked) kink_check(block, at);
}

}  // namespace

Claim gradient_claim(const Operation& operation, std::vector<std::string> defects) {
  std::vector<Key> wide;
  for (const Dtype dtype : {Dtype::r50, Dtype::d50}) {
    for (const Pass pass : {Pass::forward, Pass::backward})
      wide.push_back({operation.op, pass, dtype});
  }
  std::vector<Check> checks;
  for (const std::string_view name : {"W1 formula", "W2 difference", "W5 hessian"}) {
    checks.push_back({.name = name, .law = stats::bound(), .needs = wide});
  }
  for (const std::string_view name : {"W3 rounding", "W4 stability", "W5 structure"}) {
    checks.push_back({.name = name, .law = stats::bound()});
  }
  if (operation.kinked) checks.push_back({.name = "kink", .law = stats::bound()});
  return {.id = {},
          .member = operation.name,
          .statement = operation.statement,
          .latex = operation.latex,
          .source = operation.op == "attention" || operation.op == "scores"
                        ? "section “The backward pass of the scaling”"
                        : "section “Means of keeping gradients stable in the backward pass”",
          .premise =
              "Operations are differentiable where the data lie; 16-bit dtypes accumulate in "
              "float",
          .derivation = operation.derivation,
          .method =
              "G: five witnesses: adjoint identity and differences at 50 digits, rounding "
              "against a running error bound (of a subject without 50 digits also against 16 "
              "roundings of each entry's conditioning), stability, structure",
          .domain = operation.domain,
          .needs = {{operation.op, Pass::forward}, {operation.op, Pass::backward}},
          .checks = std::move(checks),
          .sample = [&operation](Block& block) { sample(block, operation); },
          .defects = std::move(defects)};
}

}  // namespace rootdk
