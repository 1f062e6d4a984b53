#include <rootdk/properties/subject.hpp>
#include <rootdk/properties/subjects/initialisation.hpp>
#include <rootdk/properties/subjects/kernels.hpp>
#include <rootdk/properties/visit.hpp>
#include <rootdk/properties/wide.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace rootdk {
namespace {

template <class T>
void init_forward(const Attributes& a, std::span<const Tensor>, std::span<const Tensor> out) {
  const Tensor& w = out[0];
  const InitSettings settings{.fan_in = a.fan_in > 0 ? a.fan_in : static_cast<double>(w.rows()),
                              .fan_out = a.fan_out > 0 ? a.fan_out : static_cast<double>(w.cols()),
                              .gain = a.gain,
                              .slope = a.slope,
                              .d_k = a.d_k,
                              .branches = a.branches};
  Stream stream(a.seed);
  initialise<T>(initialiser(a.initialiser), settings, stream, kernels::view<T>(w));
}

/// A copy of a tensor in float, adjacent.
struct FloatCopy {
  std::vector<float> values;
  Tensor tensor;

  explicit FloatCopy(const Tensor& source)
      : values(static_cast<std::size_t>(source.size())), tensor(source) {
    const auto& s = source.shape;
    tensor.data = values.data();
    tensor.dtype = Dtype::f32;
    tensor.stride = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1};
  }
};

template <class F>
void for_each_pair(const Tensor& low, const Tensor& wide, F&& f) {
  visit_dtype(low.dtype, [&]<class T>(T) {
    kernels::for_each_matrix(low, [&](auto b, auto h) {
      auto a = kernels::view<T>(low, b, h);
      auto c = kernels::view<float>(wide, b, h);
      for (Eigen::Index i = 0; i < a.rows(); ++i) {
        for (Eigen::Index j = 0; j < a.cols(); ++j) f(a(i, j), c(i, j));
      }
    });
  });
}

/// A kernel of 16-bit numbers: the float kernel on converted inputs, its outputs rounded once. So
/// sums are accumulated in float, which is what the bounds of these dtypes assume.
Kernel in_float(Kernel kernel) {
  return [kernel = std::move(kernel)](const Attributes& attributes, std::span<const Tensor> in,
                                      std::span<const Tensor> out) {
    std::vector<FloatCopy> copies;
    std::vector<Tensor> wide_in;
    std::vector<Tensor> wide_out;
    copies.reserve(in.size() + out.size());
    for (const Tensor& tensor : in) {
      wide_in.push_back(copies.emplace_back(tensor).tensor);
      for_each_pair(tensor, wide_in.back(),
                    [](auto& low, float& wide) { wide = static_cast<float>(low); });
    }
    for (const Tensor& tensor : out) wide_out.push_back(copies.emplace_back(tensor).tensor);
    kernel(attributes, wide_in, wide_out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      for_each_pair(out[i], wide_out[i], [](auto& low, float& wide) {
        low = static_cast<std::remove_reference_t<decltype(low)>>(wide);
      });
    }
  };
}

}  // namespace

double unit_roundoff(Dtype dtype) {
  constexpr std::array<double, 8> roundoff{0x1p-53,  0x1p-24,  0x1p-11, 0x1p-8,
                                           0x1p-168, 0x1p-168, 0x1p-53, 0x1p-53};
  return roundoff[static_cast<std::size_t>(dtype)];
}

Subject library() {
  Subject subject("library");
  kernels::add_operations<double>(subject, Dtype::f64);
  kernels::add_operations<float>(subject, Dtype::f32);
  subject.set({"init", Pass::forward, Dtype::f64}, init_forward<double>);
  subject.set({"init", Pass::forward, Dtype::f32}, init_forward<float>);
  const Subject wide = subject;
  for (const auto& [key, kernel] : wide.kernels()) {
    if (key.dtype != Dtype::f32) continue;
    for (const Dtype low : {Dtype::f16, Dtype::bf16}) {
      subject.set({key.op, key.pass, low}, in_float(kernel));
    }
  }
  add_wide_operations(subject);
  add_initialisation(subject);
  return subject;
}

}  // namespace rootdk
