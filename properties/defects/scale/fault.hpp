#pragma once

#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/defects/adjacent_copy.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Faults of the scale, planted alike in `scores` and `attention`, forward and backward, so that the
// backward pass is the right one of the wrong function.

namespace rootdk::defects::scale {

using Tensors = std::span<const Tensor>;

/// Wraps the four kernels; wrap(kernel, inputs without parameters, pass).
inline Subject with_scores(const Subject& base, std::string_view name,
                           const std::function<Kernel(Kernel, std::size_t, Pass)>& wrap) {
  Subject result = base;
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (const auto& [op, inputs] : {std::pair{"scores", 2}, std::pair{"attention", 3}}) {
      const auto count = static_cast<std::size_t>(inputs);
      result = result.with(std::string(name), op, pass,
                           [&](Kernel kernel) { return wrap(std::move(kernel), count, pass); });
    }
  }
  return result;
}

/// The queries are multiplied by factor(attributes, q) first.
using QueryFactor = std::function<double(const Attributes&, const Tensor&)>;
inline Subject rescale(const Subject& base, std::string_view name, const QueryFactor& factor) {
  return with_scores(base, name, [factor](Kernel kernel, std::size_t, Pass pass) -> Kernel {
    return [=](const Attributes& a, Tensors in, Tensors out) {
      const double c = factor(a, in[0]);
      if (c == 1) return kernel(a, in, out);
      const AdjacentCopy q(in[0]);
      multiply(q.tensor, c);
      std::vector<Tensor> inputs(in.begin(), in.end());
      inputs[0] = q.tensor;
      kernel(a, inputs, out);
      if (pass == Pass::backward) multiply(out[0], c);
    };
  });
}

/// The kernel of another scheme, one without parameters, is run where `other` names one; gradients
/// of parameters are then 0.
inline Subject replace(const Subject& base, std::string_view name,
                       const std::function<std::string_view(const Attributes&)>& other) {
  return with_scores(base, name, [other](Kernel kernel, std::size_t count, Pass pass) -> Kernel {
    return [=](const Attributes& a, Tensors in, Tensors out) {
      const std::string_view scheme = other(a);
      if (scheme.empty()) return kernel(a, in, out);
      Attributes changed = a;
      changed.scheme = scheme;
      std::vector<Tensor> inputs(in.begin(), in.end());
      const bool backward = pass == Pass::backward;
      if (inputs.size() == count + (backward ? 2 : 1)) {
        inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(count));
      }
      kernel(changed, inputs, backward ? out.first(count) : out);
      if (backward && out.size() > count) fill(out[count], 0);
    };
  });
}

inline double root_of_width(const Tensor& q) { return std::sqrt(static_cast<double>(q.cols())); }

/// Where a product with a factor that is rounded to double, halfway, is still the same function: not
/// in 16 bits, where the order of scaling decides over an overflow (scaling.half_overflow), nor at
/// 50 digits, where the factor itself is wrong by 1e-17.
inline bool same_function(const Tensor& t) {
  return t.dtype == Dtype::f32 || t.dtype == Dtype::f64;
}

/// The forward passes of sqrt_dk as those of `none` on multiplied queries and keys: split(1/√d_k)
/// says how much on each.
inline Subject forward_replaced(const Subject& base, std::string_view name,
                                const std::function<std::pair<double, double>(double)>& split) {
  return with_scores(base, name, [split](Kernel kernel, std::size_t, Pass pass) -> Kernel {
    if (pass == Pass::backward) return kernel;
    return [=](const Attributes& a, Tensors in, Tensors out) {
      if (a.scheme != "sqrt_dk" || !same_function(out[0])) return kernel(a, in, out);
      Attributes plain = a;
      plain.scheme = "none";
      const auto [on_q, on_k] = split(1 / root_of_width(in[0]));
      const AdjacentCopy q(in[0]);
      const AdjacentCopy k(in[1]);
      multiply(q.tensor, on_q);
      multiply(k.tensor, on_k);
      std::vector<Tensor> inputs(in.begin(), in.end());
      inputs[0] = q.tensor;
      inputs[1] = k.tensor;
      kernel(plain, inputs, out);
    };
  });
}

}  // namespace rootdk::defects::scale
