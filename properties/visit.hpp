#pragma once

#include <rootdk/properties/subject.hpp>

#include <Eigen/Core>

#include <stdexcept>

namespace rootdk {

/// Calls f with a zero of the dtype's scalar.
///
/// @throws std::invalid_argument for the dtypes of 50 digits, which have their own translation unit
template <class F>
auto visit_dtype(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::f64:
      return f(double{});
    case Dtype::f32:
      return f(float{});
    case Dtype::f16:
      return f(Eigen::half{});
    case Dtype::bf16:
      return f(Eigen::bfloat16{});
    default:
      throw std::invalid_argument("visit_dtype: a scalar of 50 digits is not handled here");
  }
}

template <class T>
double to_double(const T& value) {
  return static_cast<double>(value);
}

}  // namespace rootdk
