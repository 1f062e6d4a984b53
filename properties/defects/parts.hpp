#pragma once

#include <rootdk/properties/subject.hpp>

#include <cstddef>
#include <cstdint>

namespace rootdk::defects {

/// [first, first + count) of one axis of a tensor, in all its matrices.
inline Tensor part(const Tensor& tensor, std::size_t axis, std::int64_t first, std::int64_t count) {
  Tensor result = tensor;
  result.data = static_cast<std::byte*>(tensor.data) +
                static_cast<std::size_t>(first * tensor.stride.at(axis)) * size_of(tensor.dtype);
  result.shape.at(axis) = count;
  return result;
}

inline Tensor rows(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  return part(tensor, 2, first, count);
}
inline Tensor columns(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  return part(tensor, 3, first, count);
}

/// 0 for the rows, or the columns, from one on.
inline void clear_rows(const Tensor& tensor, std::int64_t first) {
  if (first < tensor.rows()) fill(rows(tensor, first, tensor.rows() - first), 0);
}
inline void clear_columns(const Tensor& tensor, std::int64_t first) {
  if (first < tensor.cols()) fill(columns(tensor, first, tensor.cols() - first), 0);
}

}  // namespace rootdk::defects
