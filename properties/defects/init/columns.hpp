#pragma once

#include <rootdk/properties/subject.hpp>

#include <cstddef>
#include <cstdint>

namespace rootdk::defects::init {

/// Columns [first, first + count) of W.
inline Tensor columns(const Tensor& w, std::int64_t first, std::int64_t count) {
  Tensor part = w;
  part.data = static_cast<std::byte*>(w.data) + static_cast<std::size_t>(first) * size_of(w.dtype);
  part.shape[3] = count;
  return part;
}

}  // namespace rootdk::defects::init
