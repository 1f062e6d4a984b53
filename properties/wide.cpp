#include <rootdk/lib/scalars/running.hpp>
#include <rootdk/lib/scalars/wide.hpp>
#include <rootdk/properties/elements.hpp>
#include <rootdk/properties/wide.hpp>

#include <stdexcept>
#include <vector>

namespace rootdk {
namespace {

template <class F>
auto visit_wide(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::r50:
      return f(Real50{});
    case Dtype::d50:
      return f(Dual50{});
    case Dtype::e64:
      return f(Running{});
    case Dtype::d64:
      return f(Dual<double>{});
    default:
      throw std::invalid_argument("visit_wide: a scalar of at most 64 bits is not handled here");
  }
}

template <class T>
std::shared_ptr<void> zeros(std::size_t count) {
  auto memory = std::make_shared<std::vector<T>>(count, T(0));
  return {memory, memory->data()};
}

}  // namespace

OwnedTensor make_tensor(Dtype dtype, const std::array<std::int64_t, 4>& s) {
  OwnedTensor result;
  result.tensor = {
      .dtype = dtype, .shape = s, .stride = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1}};
  const auto count = static_cast<std::size_t>(result.tensor.size());
  if (wide::holds(dtype)) {
    result.memory = visit_wide(dtype, [&]<class T>(const T&) { return zeros<T>(count); });
  } else {
    // Zero is all bits zero in each of the other dtypes; doubles align them all.
    const std::size_t words = (count * size_of(dtype) + sizeof(double) - 1) / sizeof(double);
    result.memory = zeros<double>(words);
  }
  result.tensor.data = result.memory.get();
  return result;
}

namespace wide {

std::size_t size_of(Dtype dtype) {
  return visit_wide(dtype, []<class T>(const T&) { return sizeof(T); });
}
void multiply(const Tensor& t, double factor) {
  visit_wide(t.dtype, [&]<class T>(const T&) { elements::multiply<T>(t, factor); });
}
void add_scaled(const Tensor& t, double factor, const Tensor& source) {
  visit_wide(t.dtype, [&]<class T>(const T&) { elements::add_scaled<T>(t, factor, source); });
}
void copy(const Tensor& t, const Tensor& source) {
  visit_wide(t.dtype, [&]<class T>(const T&) { elements::copy<T>(t, source); });
}
void fill(const Tensor& t, double value) {
  visit_wide(t.dtype, [&]<class T>(const T&) { elements::fill<T>(t, value); });
}
double element(const Tensor& t, std::int64_t i, std::int64_t j) {
  return visit_wide(t.dtype, [&]<class T>(const T&) { return elements::element<T>(t, i, j); });
}
void set_element(const Tensor& t, std::int64_t i, std::int64_t j, double value) {
  visit_wide(t.dtype, [&]<class T>(const T&) { elements::set_element<T>(t, i, j, value); });
}

}  // namespace wide
}  // namespace rootdk
