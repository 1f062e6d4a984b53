#pragma once

#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/operation.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rootdk {

/// One call of a backward pass that a defect distorts. The right gradients stand in `out` already.
struct WrongBackward {
  std::string_view op;
  const Attributes& attributes;
  std::span<const Tensor> in;   ///< inputs, then the cotangent
  std::span<const Tensor> out;  ///< a gradient an input
  const Kernel& right;

  const Tensor& cotangent() const { return in.back(); }
  /// Index of the scheme's parameters among the inputs, or −1.
  std::ptrdiff_t parameters() const;
  void multiply_all(double factor) const;
  /// The right pass with other attributes, inputs or cotangent.
  void again(const Attributes& other) const { right(other, in, out); }
  void again(std::span<const Tensor> other) const { right(attributes, other, out); }
};
using Fault = std::function<void(const WrongBackward&)>;

// Entries of a tensor of any dtype, changed in double.

double at(const Tensor& t, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j);
void set(const Tensor& t, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j,
         double value);
/// f(b, h, i, j) for each entry.
void for_each_entry(
    const Tensor& t,
    const std::function<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t)>& f);

/// A fault in the backward pass of every operation, to be refuted by every gradient claim.
Defect everywhere(std::string statement, std::string fact, Fault fault);

/// A fault in the backward pass of some operations, to be refuted by the claims of those; a fault
/// of attention also by the claims of the schemes that are named ("" for none, "*" for all,
/// "parameters" for those that have some, or the scheme's name).
Defect in_operations(std::vector<std::string> ops, std::string_view schemes, std::string statement,
                     std::string fact, Fault fault);

/// Operations that attend: scores, attention, multi_head, the blocks.
std::vector<std::string> attending();

}  // namespace rootdk
