#pragma once

#include <rootdk/properties/block.hpp>

#include <cmath>
#include <vector>

namespace rootdk::claims::softmax {

/// The probabilities [1, m] of a row of logits, and their Jacobian [m, m], row j the gradient of
/// p_j, by m backward passes of the subject.
struct JacobianOf {
  Tensor p;
  std::vector<double> j;
  std::size_t m;
  double operator()(std::size_t a, std::size_t b) const { return j[a * m + b]; }
};

inline JacobianOf jacobian_of(Block& block, const Tensor& z) {
  const std::int64_t m = z.cols();
  JacobianOf result{block.matrix(1, m), {}, static_cast<std::size_t>(m)};
  block.forward("softmax", {}, {z}, {result.p});
  const Tensor dp = block.matrix(1, m);
  const Tensor dz = block.matrix(1, m);
  for (std::int64_t a = 0; a < m; ++a) {
    fill(dp, 0);
    set_element(dp, 0, a, 1);
    block.backward("softmax", {}, {z, dp}, {dz});
    for (std::int64_t b = 0; b < m; ++b) result.j.push_back(element(dz, 0, b));
  }
  return result;
}

/// A lower bound of ‖J‖₂ of a symmetric positive semidefinite J: ‖Jv‖/‖v‖ after power iterations.
inline double norm_from_below(const JacobianOf& jacobian, std::vector<double> v) {
  constexpr int iterations = 40;
  double norm = 0;
  for (int k = 0; k < iterations; ++k) {
    std::vector<double> w(v.size(), 0.0);
    double before = 0;
    double after = 0;
    for (std::size_t a = 0; a < v.size(); ++a) {
      for (std::size_t b = 0; b < v.size(); ++b) w[a] += jacobian(a, b) * v[b];
      before += v[a] * v[a];
      after += w[a] * w[a];
    }
    if (!(after > 0)) return norm;
    norm = std::sqrt(after / before);
    for (double& value : w) value /= std::sqrt(after);
    v = w;
  }
  return norm;
}

/// The exact Jacobian's entries have relative errors of (m + 4) u from p, twice, and 4 u from the
/// products; those of a difference of cotangents add m u of its size, which is at most p_a(1 − p_a),
/// p_a p_b, or p_b where a is the winner: see the header of softmax_backward.
inline double rounding(const JacobianOf& jacobian) {
  return 4 * (static_cast<double>(jacobian.m) + 4);
}

}  // namespace rootdk::claims::softmax
