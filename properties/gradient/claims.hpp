#pragma once

#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/operation.hpp>

namespace rootdk {

/// The claim that an operation's backward pass is right, with the five witnesses as checks:
///
/// | check          | accept when                                                                |
/// |----------------|----------------------------------------------------------------------------|
/// | W1 formula     | ⟨Ju, w⟩ = ⟨u, Jᵀw⟩ at 50 digits, dual numbers against the backward pass    |
/// | W2 difference  | the same slope by differences of the forward pass at 50 digits             |
/// | W3 rounding    | each entry within the running error of the dtype, against 50 digits        |
/// | W4 stability   | each row within 16 roundoffs of the problem's own conditioning             |
/// | W5 structure   | zero, doubled, negated and repeated cotangents; identities; masked zeros   |
/// | W5 hessian     | uᵀHv = vᵀHu at 50 digits, and by differences of the forward tangent        |
/// | kink           | at 0 the documented one-sided slope (operations with a kink alone)         |
///
/// W1, W2 and W5 hessian ask for kernels of 50 digits; a subject without them is judged by the
/// others. Nor is its formula known, so that W3 allows it as well what any stable algorithm may err
/// by, 16 roundings of the entry's own conditioning: at least 22 roundings of the entry. A fault in
/// proportion to the gradient is seen from there on, in double from some 1e-14 where the problem is
/// well conditioned and in float from some 1e-6.
///
/// @param defects that the claim must refute
Claim gradient_claim(const Operation& operation, std::vector<std::string> defects);

}  // namespace rootdk
