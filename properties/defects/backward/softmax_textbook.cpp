#include <rootdk/properties/gradient/wrong.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace rootdk::defects::backward::softmax_textbook {
namespace {

/// dz = p ⊙ (dp − Σ p dp) of one row, in the arithmetic of T.
template <class T>
void textbook_row(const WrongBackward& b, std::int64_t n, std::int64_t i) {
  const auto width = static_cast<std::size_t>(b.in[0].cols());
  std::vector<T> p(width);
  std::vector<T> dp(width);
  for (std::size_t j = 0; j < width; ++j) {
    p[j] = static_cast<T>(at(b.in[0], n, 0, i, static_cast<std::int64_t>(j)));
    dp[j] = static_cast<T>(at(b.cotangent(), n, 0, i, static_cast<std::int64_t>(j)));
  }
  const T top = *std::ranges::max_element(p);
  T sum = 0;
  for (T& value : p) sum += value = std::exp(value - top);
  T mean = 0;
  for (std::size_t j = 0; j < width; ++j) mean += (p[j] /= sum) * dp[j];
  for (std::size_t j = 0; j < width; ++j) {
    set(b.out[0], n, 0, i, static_cast<std::int64_t>(j), p[j] * (dp[j] - mean));
  }
}

}  // namespace

Defect defect() {
  return in_operations(
      {"softmax"}, "", "dz = p ⊙ (dp − Σ p dp), in the textbook’s order",
      "Right in exact arithmetic; at logits of size 20 the error is 1e14 roundoffs of the gradient",
      [](const WrongBackward& b) {
        const Dtype dtype = b.in[0].dtype;
        if (dtype != Dtype::f64 && dtype != Dtype::f32) return;
        for (std::int64_t n = 0; n < b.in[0].shape[0]; ++n) {
          for (std::int64_t i = 0; i < b.in[0].rows(); ++i) {
            if (dtype == Dtype::f64) textbook_row<double>(b, n, i);
            if (dtype == Dtype::f32) textbook_row<float>(b, n, i);
          }
        }
      });
}

}  // namespace rootdk::defects::backward::softmax_textbook
