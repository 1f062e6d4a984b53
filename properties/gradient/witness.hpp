#pragma once

#include <rootdk/properties/gradient/operation.hpp>
#include <rootdk/properties/subject.hpp>

#include <vector>

namespace rootdk {

/// An operation with its data. All values are exact in every dtype that they are used in.
struct GradientCase {
  const Operation* operation = nullptr;
  Instance instance;
  std::vector<std::int64_t> key_lengths, labels;
  std::vector<Values> inputs, cotangents;
  std::vector<Values> u, v;  ///< two directions of the inputs, of the size of the inputs

  Attributes attributes() const;
};

/// A gradient at 50 digits: high is the nearest double, high + low is good to 32 digits.
struct WideGradient {
  std::vector<Values> high, low;
};

/// Rounding of a backward pass in units of roundoff, entry by entry (see `Running`).
struct RoundingBounds {
  std::vector<Values> bound, spread, flush;
};

/// A comparison at 50 digits, in units of the roundoff of 50 digits times `magnitude`.
struct WideComparison {
  double difference = 0;
  double tolerance = 0;
  double magnitude = 0;  ///< Σ|gᵢuᵢ| of what is compared
};

/// Backward pass of the subject at 50 digits.
WideGradient wide_gradient(const Subject& subject, const GradientCase& at);

/// Rounding of the library's backward pass.
RoundingBounds backward_rounding(const GradientCase& at);

/// W1: ⟨J u, w⟩ by dual numbers against ⟨u, Jᵀ w⟩ by the backward pass.
WideComparison adjoint(const Subject& subject, const GradientCase& at,
                       const RoundingBounds& rounding);

/// W2: ⟨w, f⟩ along u by central differences of the forward pass against ⟨u, Jᵀ w⟩.
WideComparison independence(const Subject& subject, const GradientCase& at,
                            const RoundingBounds& rounding);

/// uᵀHv of ⟨w, f⟩: by the backward pass on dual numbers along v, the same with u and v exchanged,
/// and by differences along v of the forward pass on dual numbers along u.
struct HessianComparison {
  WideComparison symmetry, forward;
};
HessianComparison hessian(const Subject& subject, const GradientCase& at,
                          const RoundingBounds& rounding);

/// Conditioning of the backward pass, entry by entry: root mean square of the change of the gradient
/// when every entry of inputs and cotangents changes by ± ½ … 1½ of the largest in its row at random,
/// and every intermediate result of a composed operation (stored) by as much of itself, a pattern
/// for each seed; and the gradient itself. Row by row and not entry by entry, since a projection of
/// a row errs by the row's size. By the library's backward pass on dual numbers in double: a scale
/// needs no more digits.
std::vector<Values> conditioning(const GradientCase& at, std::span<const std::uint64_t> seeds);

/// One-sided slopes of the forward pass of an entrywise operation at 0, times the cotangent.
struct OneSided {
  Values left, right;
};
OneSided one_sided(const Subject& subject, const GradientCase& at);

/// The library, with kernels in all dtypes.
const Subject& oracle();

}  // namespace rootdk
