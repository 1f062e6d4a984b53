#include <rootdk/properties/elements.hpp>
#include <rootdk/properties/subject.hpp>
#include <rootdk/properties/visit.hpp>
#include <rootdk/properties/wide.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rootdk {
namespace {

constexpr std::array<std::string_view, 8> kDtypeNames{"f64", "f32", "f16", "bf16",
                                                      "r50", "d50", "e64", "d64"};

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
    throw NotApplicable(fmt::format("subject has no {} {} in {}", op,
                                    pass == Pass::forward ? "forward" : "backward",
                                    rootdk::name(key.dtype)));
  }
  found->second(attributes, in, out);
}

Subject Subject::with(std::string name, std::string_view op, Pass pass,
                      const std::function<Kernel(Kernel)>& wrap) const {
  Subject result = *this;
  result.name_ = std::move(name);
  result.wrapped_.emplace(op, pass);
  for (auto& [key, kernel] : result.kernels_) {
    if (key.op == op && key.pass == pass) kernel = wrap(kernel);
  }
  return result;
}

std::size_t size_of(Dtype dtype) {
  if (wide::holds(dtype)) return wide::size_of(dtype);
  return visit_dtype(dtype, [](auto zero) { return sizeof(zero); });
}

void multiply(const Tensor& tensor, double factor) {
  if (wide::holds(tensor.dtype)) return wide::multiply(tensor, factor);
  visit_dtype(tensor.dtype, [&]<class T>(T) { elements::multiply<T>(tensor, factor); });
}

void add_scaled(const Tensor& target, double factor, const Tensor& source) {
  if (wide::holds(target.dtype)) return wide::add_scaled(target, factor, source);
  visit_dtype(target.dtype, [&]<class T>(T) { elements::add_scaled<T>(target, factor, source); });
}

void copy(const Tensor& target, const Tensor& source) {
  if (wide::holds(target.dtype)) return wide::copy(target, source);
  visit_dtype(target.dtype, [&]<class T>(T) { elements::copy<T>(target, source); });
}

void fill(const Tensor& tensor, double value) {
  if (wide::holds(tensor.dtype)) return wide::fill(tensor, value);
  visit_dtype(tensor.dtype, [&]<class T>(T) { elements::fill<T>(tensor, value); });
}

double element(const Tensor& tensor, std::int64_t i, std::int64_t j) {
  if (wide::holds(tensor.dtype)) return wide::element(tensor, i, j);
  return visit_dtype(tensor.dtype, [&]<class T>(T) { return elements::element<T>(tensor, i, j); });
}

void set_element(const Tensor& tensor, std::int64_t i, std::int64_t j, double value) {
  if (wide::holds(tensor.dtype)) return wide::set_element(tensor, i, j, value);
  visit_dtype(tensor.dtype, [&]<class T>(T) { elements::set_element<T>(tensor, i, j, value); });
}

Tensor matrix(const Tensor& tensor, std::int64_t batch, std::int64_t head) {
  Tensor result = tensor;
  const auto skip = static_cast<std::size_t>(elements::offset(tensor, {batch, head, 0, 0}));
  result.data = static_cast<std::byte*>(tensor.data) + skip * size_of(tensor.dtype);
  result.shape = {1, 1, tensor.shape[2], tensor.shape[3]};
  return result;
}

}  // namespace rootdk
