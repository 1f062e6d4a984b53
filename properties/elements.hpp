#pragma once

#include <rootdk/properties/subject.hpp>

#include <array>

// Changes of tensors, for one scalar type.

namespace rootdk::elements {

/// f(place) for each element of the tensor, in row-major order.
template <class F>
void for_each_place(const Tensor& t, F&& f) {
  for (std::int64_t b = 0; b < t.shape[0]; ++b) {
    for (std::int64_t h = 0; h < t.shape[1]; ++h) {
      for (std::int64_t i = 0; i < t.shape[2]; ++i) {
        for (std::int64_t j = 0; j < t.shape[3]; ++j) {
          f(std::array<std::int64_t, 4>{b, h, i, j});
        }
      }
    }
  }
}

inline std::int64_t offset(const Tensor& t, const std::array<std::int64_t, 4>& place) {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < 4; ++d) result += place[d] * t.stride[d];
  return result;
}

template <class T>
void multiply(const Tensor& tensor, double factor) {
  T* data = static_cast<T*>(tensor.data);
  for_each_place(tensor, [&](const auto& at) {
    T& value = data[offset(tensor, at)];
    value = T(value * T(factor));
  });
}

template <class T>
void add_scaled(const Tensor& target, double factor, const Tensor& source) {
  T* data = static_cast<T*>(target.data);
  const T* from = static_cast<const T*>(source.data);
  for_each_place(target, [&](const auto& at) {
    T& value = data[offset(target, at)];
    value = T(value + T(factor) * from[offset(source, at)]);
  });
}

template <class T>
void copy(const Tensor& target, const Tensor& source) {
  T* data = static_cast<T*>(target.data);
  const T* from = static_cast<const T*>(source.data);
  for_each_place(target,
                 [&](const auto& at) { data[offset(target, at)] = from[offset(source, at)]; });
}

template <class T>
void fill(const Tensor& tensor, double value) {
  T* data = static_cast<T*>(tensor.data);
  for_each_place(tensor, [&](const auto& at) { data[offset(tensor, at)] = T(value); });
}

template <class T>
double element(const Tensor& tensor, std::int64_t i, std::int64_t j) {
  const T* data = static_cast<const T*>(tensor.data);
  return static_cast<double>(data[offset(tensor, {0, 0, i, j})]);
}

template <class T>
void set_element(const Tensor& tensor, std::int64_t i, std::int64_t j, double value) {
  static_cast<T*>(tensor.data)[offset(tensor, {0, 0, i, j})] = T(value);
}

}  // namespace rootdk::elements
