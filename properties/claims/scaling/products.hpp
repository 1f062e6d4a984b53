#pragma once

#include <rootdk/properties/block.hpp>

#include <cmath>

namespace rootdk::claims::scaling {

/// Σ_c |a_ic b_jc|: what the rounding of a product of rows is counted in.
inline double absolute_product(const Tensor& a, std::int64_t i, const Tensor& b, std::int64_t j) {
  double sum = 0;
  for (std::int64_t c = 0; c < a.cols(); ++c) sum += std::abs(element(a, i, c) * element(b, j, c));
  return sum;
}

/// Frobenius product ⟨a, b⟩ of all matrices of two tensors, and the sum of its absolute terms.
struct Inner {
  double value = 0;
  double absolute = 0;
};
inline Inner inner(Block& block, const Tensor& a, const Tensor& b) {
  Inner result;
  const auto x = block.values(a);
  const auto y = block.values(b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.value += x[i] * y[i];
    result.absolute += std::abs(x[i] * y[i]);
  }
  return result;
}

}  // namespace rootdk::claims::scaling
