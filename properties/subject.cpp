#include <rootdk/properties/subject.hpp>
#include <rootdk/properties/visit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rootdk {
namespace {

constexpr std::array<std::string_view, 6> kDtypeNames{"f64", "f32", "f16", "bf16", "r50", "d50"};

/// f(i) for the place of each element of the tensor, in row-major order.
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

std::int64_t offset(const Tensor& t, const std::array<std::int64_t, 4>& place) {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < 4; ++d) result += place[d] * t.stride[d];
  return result;
}

}  // namespace

std::string_view name(Dtype dtype) { return kDtypeNames[static_cast<std::size_t>(dtype)]; }

Dtype dtype_named(std::string_view name) {
  const auto found = std::ranges::find(kDtypeNames, name);
  if (found == kDtypeNames.end()) {
    throw std::invalid_argument(fmt::format("dtype: there is no '{}'", name));
  }
  return static_cast<Dtype>(found - kDtypeNames.begin());
}

void Subject::call(std::string_view op, Pass pass, const Attributes& attributes,
                   std::span<const Tensor> in, std::span<const Tensor> out) const {
  const Key key{.op = std::string(op), .pass = pass, .dtype = out[0].dtype};
  const auto found = kernels_.find(key);
  if (found == kernels_.end()) {
    throw std::invalid_argument(fmt::format("subject '{}' has no {} {} in {}", name_, op,
                                            pass == Pass::forward ? "forward" : "backward",
                                            rootdk::name(key.dtype)));
  }
  found->second(attributes, in, out);
}

Subject Subject::with(std::string name, std::string_view op, Pass pass,
                      const std::function<Kernel(Kernel)>& wrap) const {
  Subject result = *this;
  result.name_ = std::move(name);
  for (auto& [key, kernel] : result.kernels_) {
    if (key.op == op && key.pass == pass) kernel = wrap(kernel);
  }
  return result;
}

std::size_t size_of(Dtype dtype) {
  return visit_dtype(dtype, [](auto zero) { return sizeof(zero); });
}

void multiply(const Tensor& tensor, double factor) {
  visit_dtype(tensor.dtype, [&]<class T>(T) {
    T* data = static_cast<T*>(tensor.data);
    for_each_place(tensor, [&](const auto& at) {
      T& value = data[offset(tensor, at)];
      value = T(value * T(factor));
    });
  });
}

void add_scaled(const Tensor& target, double factor, const Tensor& source) {
  visit_dtype(target.dtype, [&]<class T>(T) {
    T* data = static_cast<T*>(target.data);
    const T* from = static_cast<const T*>(source.data);
    for_each_place(target, [&](const auto& at) {
      T& value = data[offset(target, at)];
      value = T(value + T(factor) * from[offset(source, at)]);
    });
  });
}

void copy(const Tensor& target, const Tensor& source) {
  visit_dtype(target.dtype, [&]<class T>(T) {
    T* data = static_cast<T*>(target.data);
    const T* from = static_cast<const T*>(source.data);
    for_each_place(target,
                   [&](const auto& at) { data[offset(target, at)] = from[offset(source, at)]; });
  });
}

void fill(const Tensor& tensor, double value) {
  visit_dtype(tensor.dtype, [&]<class T>(T) {
    T* data = static_cast<T*>(tensor.data);
    for_each_place(tensor, [&](const auto& at) { data[offset(tensor, at)] = T(value); });
  });
}

double element(const Tensor& tensor, std::int64_t i, std::int64_t j) {
  return visit_dtype(tensor.dtype, [&]<class T>(T) {
    const T* data = static_cast<const T*>(tensor.data);
    return to_double(data[offset(tensor, {0, 0, i, j})]);
  });
}

void set_element(const Tensor& tensor, std::int64_t i, std::int64_t j, double value) {
  visit_dtype(tensor.dtype, [&]<class T>(T) {
    static_cast<T*>(tensor.data)[offset(tensor, {0, 0, i, j})] = T(value);
  });
}

Tensor matrix(const Tensor& tensor, std::int64_t batch, std::int64_t head) {
  Tensor result = tensor;
  const auto skip = static_cast<std::size_t>(offset(tensor, {batch, head, 0, 0}));
  result.data = static_cast<std::byte*>(tensor.data) + skip * size_of(tensor.dtype);
  result.shape = {1, 1, tensor.shape[2], tensor.shape[3]};
  return result;
}

}  // namespace rootdk
