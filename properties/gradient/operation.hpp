#pragma once

#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/properties/domain.hpp>
#include <rootdk/properties/subject.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

using Shape = std::array<std::int64_t, 4>;
using Values = std::vector<double>;

/// How the entries of an input are drawn.
enum class Draw : std::uint8_t {
  tokens,     ///< by the configuration's kind of data
  weights,    ///< N(0, 1/rows)
  gain,       ///< ±U(0.25, 1.75), never 1
  shift,      ///< N(0, 1)
  parameters  ///< of a scheme, uniform where the scheme says
};

struct Operand {
  std::string_view name;
  Shape shape;
  Draw draw = Draw::tokens;
  double saturating = 1;  ///< factor of saturated data: makes logits of size 20
  double offset = 8;      ///< added by shifted data
  std::span<const SchemeParameter> parameters{};
};

/// An operation in one configuration: shapes and attributes, no data yet.
struct Instance {
  Attributes attributes;  ///< without key lengths and labels, which are drawn
  std::vector<Operand> inputs;
  std::vector<Shape> outputs;
  std::int64_t padded_keys = 0;  ///< number of keys if the keys are padded, else 0
  std::int64_t classes = 0;      ///< of the labels, else 0
};

/// The values that an identity is about; entries row by row.
struct GradientValues {
  const Instance& instance;
  std::span<const Values> inputs, cotangents, gradients;
};

/// A linear functional of the gradient that is 0 in exact arithmetic: Σ weight · entry.
struct Identity {
  std::string_view name;
  std::size_t input;                 ///< which gradient
  std::size_t first, count, stride;  ///< entries first, first + stride, …
  std::vector<double> weights;       ///< empty for ones
  std::ptrdiff_t minus = -1;         ///< another gradient, subtracted with weights of its own
  std::vector<double> minus_weights{};
};

/// A differentiable operation, as the gradient claims see it.
struct Operation {
  std::string name;  ///< member of the family of claims: "rms_norm", or the scheme's name
  std::string op;    ///< operation of the subject
  std::string statement;
  std::string latex;
  std::string derivation;
  Domain domain;
  std::function<Instance(const Configuration&)> instance;
  bool kinked = false;  ///< not differentiable at 0, where the left slope is documented
  std::function<std::vector<Identity>(const GradientValues&)> identities = nullptr;
};

/// The kinds of data: gaussian, heavy_tailed, huge_feature, duplicate_rows, …
std::vector<std::string> data_kinds();

/// Every differentiable operation of the library: the entries of this registry and of the
/// activations; attention stands here with the scheme as a choice.
const std::vector<Operation>& operations();

/// Attention with each registered scheme.
const std::vector<Operation>& scheme_operations();

}  // namespace rootdk
