#pragma once

#include <rootdk/properties/gradient/witness.hpp>
#include <rootdk/properties/wide.hpp>

#include <cstddef>
#include <vector>

namespace rootdk {

// What the witnesses, the checkers and the benchmarks hand to a subject.

using Owned = std::vector<OwnedTensor>;

inline std::size_t count_of(const Shape& s) {
  return static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3]);
}

inline std::vector<Shape> input_shapes(const GradientCase& at) {
  std::vector<Shape> shapes;
  for (const Operand& operand : at.instance.inputs) shapes.push_back(operand.shape);
  return shapes;
}

inline Owned zeros(Dtype dtype, const std::vector<Shape>& shapes) {
  Owned result;
  for (const Shape& shape : shapes) result.push_back(make_tensor(dtype, shape));
  return result;
}

/// Tensors of T, the scalar of the dtype, whose entries are make(k, i) for entry i of tensor k.
template <class T, class Make>
Owned filled(Dtype dtype, const std::vector<Shape>& shapes, Make&& make) {
  Owned result = zeros(dtype, shapes);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    T* data = static_cast<T*>(result[k].tensor.data);
    for (std::size_t i = 0; i < count_of(shapes[k]); ++i) data[i] = make(k, i);
  }
  return result;
}

inline std::vector<Tensor> borrowed(const Owned& owned, const Owned& more = {}) {
  std::vector<Tensor> result;
  for (const OwnedTensor& t : owned) result.push_back(t.tensor);
  for (const OwnedTensor& t : more) result.push_back(t.tensor);
  return result;
}

}  // namespace rootdk
