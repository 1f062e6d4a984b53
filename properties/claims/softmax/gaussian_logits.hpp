#pragma once

#include <rootdk/properties/claims/softmax/moments.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace rootdk::claims::softmax {

/// Expectations over the softmax p of n independent logits z ~ N(0, σ²).
///
/// 1/D^k = ∫ t^{k−1} e^{−tD} dt/(k−1)! with D = Σe^z makes the keys independent under the integral:
/// with A_k(t) = E e^{kz} exp(−t e^z), E Σp² = n ∫ t A₂ A₀^{n−1} dt, and so on. Both integrals,
/// over u = ln t and over z, are of functions analytic in a strip of half width π/2, decaying at
/// both ends: the trapezoidal rule with step h errs by about exp(−π²/h).
class GaussianLogits {
 public:
  /// @param powers of Σp² whose means are wanted, 1 … 4
  GaussianLogits(double n, double sigma, int powers = 4) : n_(n), sigma_(sigma) {
    const int order = 2 * powers;
    const double step = std::min(0.2, sigma / 3);
    const double low = -9 * sigma;
    const double high = order * sigma * sigma + 9 * sigma;
    for (double z = low; z <= high; z += step)
      nodes_.push_back({z, std::exp(z), density(z) * step});
    for (double u = -high - 45; u <= -low + 5; u += kStep) add(u, powers);
  }

  double squares() const { return raw_[0]; }            ///< E Σp²
  Moments moments() const { return moments_of(raw_); }  ///< of Σp²
  double logits() const { return logits_; }             ///< E Σ p z
  double log_sum() const { return log_sum_; }           ///< E ln Σ e^z
  double entropy() const { return log_sum_ - logits_; }

 private:
  static constexpr double kStep = 0.2;
  struct Node {
    double z, e, weight;
  };

  double density(double z) const {
    return std::exp(-z * z / (2 * sigma_ * sigma_)) /
           (sigma_ * std::sqrt(2 * 3.14159265358979323846));
  }

  void add(double u, int powers) {
    const double t = std::exp(u);
    std::array<double, 9> a{};  // t^k A_k
    double first = 0;           // t E z e^z exp(−t e^z)
    for (const Node& node : nodes_) {
      const double x = t * node.e;
      double term = node.weight * std::exp(-x);
      first += term * x * node.z;
      for (std::size_t k = 0; k <= static_cast<std::size_t>(2 * powers); ++k, term *= x)
        a[k] += term;
    }
    const auto rest = [&](double keys) { return std::pow(a[0], n_ - keys); };
    const double n = n_;
    raw_[0] += kStep * n * a[2] * rest(1);
    logits_ += kStep * n * first * rest(1);
    log_sum_ += kStep * (std::exp(-t) - std::pow(a[0], n));
    if (powers < 4) return;
    const double n2 = n * (n - 1);
    const double n3 = n2 * (n - 2);
    const double n4 = n3 * (n - 3);
    // Partitions of the powers among different keys; a key's own powers add up.
    raw_[1] += kStep / 6 * (n * a[4] * rest(1) + n2 * a[2] * a[2] * rest(2));
    raw_[2] +=
        kStep / 120 *
        (n * a[6] * rest(1) + 3 * n2 * a[4] * a[2] * rest(2) + n3 * a[2] * a[2] * a[2] * rest(3));
    raw_[3] += kStep / 5040 *
               (n * a[8] * rest(1) + n2 * (4 * a[6] * a[2] + 3 * a[4] * a[4]) * rest(2) +
                6 * n3 * a[4] * a[2] * a[2] * rest(3) + n4 * std::pow(a[2], 4) * rest(4));
  }

  double n_;
  double sigma_;
  std::vector<Node> nodes_;
  std::array<double, 4> raw_{};
  double logits_ = 0;
  double log_sum_ = 0;
};

}  // namespace rootdk::claims::softmax
