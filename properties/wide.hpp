#pragma once

#include <rootdk/properties/subject.hpp>

#include <array>
#include <memory>

namespace rootdk {

/// A tensor of any dtype that owns its memory; set to zeros.
struct OwnedTensor {
  Tensor tensor;
  std::shared_ptr<void> memory;
};
OwnedTensor make_tensor(Dtype dtype, const std::array<std::int64_t, 4>& shape);

/// Adds the library's kernels of r50, d50, e64 and d64.
void add_wide_operations(Subject& subject);

// The operations of subject.hpp for r50, d50, e64 and d64. They stand apart so that no one else compiles
// numbers of 50 digits.

namespace wide {

/// Is it a dtype that lives in this process only?
inline bool holds(Dtype dtype) {
  return dtype == Dtype::r50 || dtype == Dtype::d50 || dtype == Dtype::e64 || dtype == Dtype::d64;
}
std::size_t size_of(Dtype dtype);
void multiply(const Tensor& tensor, double factor);
void add_scaled(const Tensor& target, double factor, const Tensor& source);
void copy(const Tensor& target, const Tensor& source);
void fill(const Tensor& tensor, double value);
double element(const Tensor& tensor, std::int64_t i, std::int64_t j);
void set_element(const Tensor& tensor, std::int64_t i, std::int64_t j, double value);

}  // namespace wide
}  // namespace rootdk
