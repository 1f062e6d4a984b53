#pragma once

#include <rootdk/properties/subject.hpp>
#include <rootdk/properties/workspace.hpp>

#include <functional>
#include <utility>

namespace rootdk::defects::numbers {

/// A copy of one matrix in memory of the workspace, [columns, rows] if transposed.
inline Tensor copied(Workspace& workspace, Tensor source, bool transposed = false) {
  if (transposed) {
    std::swap(source.shape[2], source.shape[3]);
    std::swap(source.stride[2], source.stride[3]);
  }
  Tensor result = source;
  result.stride = {source.size(), source.size(), source.shape[3], 1};
  result.data = workspace.allocate(static_cast<std::size_t>(source.size()) * size_of(source.dtype));
  copy(result, source);
  return result;
}

/// value ← f(value) for each element of a matrix.
inline void transform(const Tensor& target, const std::function<double(double)>& f) {
  for (std::int64_t i = 0; i < target.rows(); ++i) {
    for (std::int64_t j = 0; j < target.cols(); ++j) {
      set_element(target, i, j, f(element(target, i, j)));
    }
  }
}

}  // namespace rootdk::defects::numbers
