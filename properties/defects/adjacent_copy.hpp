#pragma once

#include <rootdk/properties/subject.hpp>

#include <cstddef>
#include <vector>

namespace rootdk::defects {

/// The values of a tensor in adjacent memory of its own.
struct AdjacentCopy {
  std::vector<std::byte> memory;
  Tensor tensor;

  explicit AdjacentCopy(const Tensor& source)
      : memory(static_cast<std::size_t>(source.size()) * size_of(source.dtype)), tensor(source) {
    const auto& s = source.shape;
    tensor.data = memory.data();
    tensor.stride = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1};
    copy(tensor, source);
  }
};

}  // namespace rootdk::defects
