#pragma once

#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/gradient/witness.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// A differentiable function of double numbers with a backward pass: what a gradient checker is given.
/// Inputs and outputs are flat.
class CheckedFunction {
 public:
  /// @param forward the function itself; a wrong backward pass differs from it in the other argument
  CheckedFunction(const Subject& forward, const Subject& backward, const GradientCase& at);

  std::size_t inputs() const { return x_.size(); }
  std::size_t outputs() const { return outputs_; }
  const Values& x() const { return x_; }
  /// Ends of the input tensors among the flat inputs.
  const std::vector<std::size_t>& ends() const { return ends_; }

  Values forward(const Values& x) const;
  Values backward(const Values& cotangent) const;
  /// Derivatives of all outputs by all inputs, by the backward pass [outputs × inputs].
  Values jacobian() const;

 private:
  const Subject* forward_;
  const Subject* backward_;
  const GradientCase* case_;
  Values x_;
  std::vector<std::size_t> ends_;
  std::size_t outputs_ = 0;
};

/// The rule by which a published gradient checker accepts a backward pass, made anew from its
/// documented behaviour and defaults.
struct CheckerRule {
  std::string_view id;
  std::string_view rule;
  bool (*accepts)(const CheckedFunction& f, Stream& stream);
};

/// torch_slow, torch_fast, jax_vjp, tensorflow, stan, ceres.
std::span<const CheckerRule> checker_rules();

/// One line of the comparison of checkers.
struct CheckerRow {
  std::string id;
  std::string rule;
  std::size_t wrong = 0;    ///< wrong backward passes shown to it
  std::size_t found = 0;    ///< of them refused
  std::size_t right = 0;    ///< right ones shown to it
  std::size_t refused = 0;  ///< of them refused
};

/// Shows right backward passes, and all planted wrong ones that differ at 50 digits, to the published
/// rules and to W1 at 50 digits. A pure function of its arguments.
///
/// @param draws data sets for each operation
std::vector<CheckerRow> compare_checkers(std::uint64_t seed, std::size_t draws);

/// Does W1 at 50 digits accept the subject's backward pass on these data?
bool accepted_at_50_digits(const Subject& subject, const GradientCase& at);

/// Does the subject's gradient g at 50 digits differ from the library's, Σ|Δgᵢuᵢ| > 1e-12 Σ|gᵢuᵢ|,
/// and is it more than 1e-34 of the outputs y, Σ|gᵢuᵢ| > 1e-34 Σ|wᵢyᵢ|? A planted fault does not show
/// on every input.
bool differs(const Subject& subject, const GradientCase& at);

/// The library with each planted fault of the area `backward` that concerns an operation.
std::vector<Subject> wrong_subjects(std::string_view op);

}  // namespace rootdk
