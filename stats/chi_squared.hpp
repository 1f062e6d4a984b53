#pragma once

#include <cstdint>
#include <span>

namespace rootdk::stats {

/// Values that are independent of each other by the way they were drawn.
struct Independent {
  std::span<const double> values;
};

/// The entries of one product S = Q Kᵀ [n, m], row by row: uncorrelated, but dependent, since
/// entries of a row share a query and entries of a column share a key. Their sum of squares is not
/// χ².
struct SharedRows {
  std::span<const double> values;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// A sum that follows χ²(ν) exactly when the claim holds. Only the functions below make one, each
/// by its theorem; there is no way to make one of the entries of a product.
class ChiSquared {
 public:
  double nu() const { return nu_; }
  double x() const { return x_; }

 private:
  ChiSquared(double nu, double x) : nu_(nu), x_(x) {}
  double nu_;
  double x_;

  friend ChiSquared sum_of_squares(Independent, double);
  friend ChiSquared sum_of_norms(Independent, double, double);
  friend ChiSquared linear_output(std::span<const double>, std::span<const double>, double);
  friend ChiSquared whitened_scores(SharedRows, std::span<const double>, double);
  friend ChiSquared whitened_chain(SharedRows, std::span<const double>, std::span<const double>,
                                   double);
  friend ChiSquared orthogonal_part(std::span<const double>, std::span<const double>, double);
  friend ChiSquared operator+(ChiSquared, ChiSquared);
};

/// Σ (v/σ)² of independent N(0, σ²) values: χ²(count).
ChiSquared sum_of_squares(Independent values, double sigma);
ChiSquared sum_of_squares(SharedRows values, double sigma) = delete;

/// Σ ‖v‖²/σ² of independent vectors of independent N(0, σ²) entries: χ²(count · dimension).
///
/// @param squared_norms ‖v‖² of each vector
/// @param dimension entries of one vector
ChiSquared sum_of_norms(Independent squared_norms, double dimension, double sigma);

/// ‖y‖²/(σ‖x‖)² of y = x W, W of independent N(0, σ²) entries drawn for this x alone: χ²(n_out),
/// whatever x is.
///
/// @param y one row of outputs [n_out]
/// @param x its row of inputs [n_in], not zero
ChiSquared linear_output(std::span<const double> y, std::span<const double> x, double sigma_w);

/// tr(Sᵀ (QQᵀ)⁻¹ S)/σ_k² of S = Q Kᵀ, K of independent N(0, σ_k²) entries: χ²(n m), whatever Q is.
///
/// Given Q, each column of S is N(0, σ_k² QQᵀ), and columns are independent. A Cholesky factor
/// L Lᵀ = QQᵀ whitens them: X = ‖L⁻¹S‖²/σ_k².
///
/// @param q queries [n, d], n ≤ d, of full rank
/// @throws std::invalid_argument if n > d
ChiSquared whitened_scores(SharedRows s, std::span<const double> q, double sigma_k);

/// tr((QQᵀ)⁻¹ S (XXᵀ)⁻¹ Sᵀ)/σ_w² of S = Q (X W)ᵀ, W [n_in, d] of independent N(0, σ_w²) entries:
/// χ²(n m), whatever Q and X are.
///
/// Keys that are projections of m rows by one matrix depend on each other: each of their columns is
/// N(0, σ_w² XXᵀ). Whitened from both sides, L_Q⁻¹ S L_X⁻ᵀ has independent N(0, σ_w²) entries.
///
/// @param q queries [n, d], n ≤ d, of full rank
/// @param x rows [m, n_in] that W projects, m ≤ n_in, of full rank
/// @throws std::invalid_argument if n > d or m > n_in
ChiSquared whitened_chain(SharedRows s, std::span<const double> q, std::span<const double> x,
                          double sigma_w);

/// ‖y − ⟨y, x⟩x/‖x‖²‖²/σ² of y whose part orthogonal to x is that of independent N(0, σ²) entries,
/// whatever its part along x: χ²(n − 1). So a gradient dy Wᵀ when only xᵀW is known of W.
///
/// @param x a direction [n], not zero
ChiSquared orthogonal_part(std::span<const double> y, std::span<const double> x, double sigma);

/// The sum over two independent blocks.
ChiSquared operator+(ChiSquared a, ChiSquared b);

}  // namespace rootdk::stats
