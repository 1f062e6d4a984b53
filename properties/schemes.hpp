#pragma once

#include <rootdk/lib/attention/facts.hpp>
#include <rootdk/lib/attention/mask.hpp>
#include <rootdk/properties/block.hpp>
#include <rootdk/properties/domain.hpp>

#include <cstdint>
#include <vector>

namespace rootdk {

/// Adds what a scheme depends on to a domain that has d_k, n and m: heads, layer, mask (none,
/// causal, padding or both), and a field for each parameter, over its generic values.
Domain& add_scheme_axes(Domain& domain, const SchemeFacts& facts);

/// A scheme in the setting that a configuration of such a domain describes.
struct SchemeCase {
  const SchemeFacts* facts = nullptr;
  std::vector<double> parameters;
  std::int64_t d_k = 1;
  std::int64_t queries = 1;
  std::int64_t keys = 1;
  std::int64_t heads = 1;
  std::int64_t layer = 0;
  Mask mask;
  double epsilon = 0;  ///< of the row norms

  /// What the scheme sees at one query.
  ScoreContext context(std::int64_t query) const;
  double variance(std::int64_t query) const { return facts->variance(context(query), parameters); }
  double bound() const { return facts->bound(context(queries - 1), parameters); }
  /// Standard deviation of the entries of Q under the scheme's premise.
  double query_sd() const;
  /// Dimensions in which the directions of the rows lie: d_k, or d_k − 1 once their mean is gone.
  std::int64_t directions() const { return facts->rows == RowNorm::layer ? d_k - 1 : d_k; }
  /// Valid while this case lives.
  Attributes attributes() const;
};
SchemeCase scheme_case(const SchemeFacts& facts, const Configuration& configuration);

/// The subject's scores, with the parameters where the scheme has some.
void forward_scores(Block& block, const SchemeCase& scheme, const Tensor& q, const Tensor& k,
                    const Tensor& s);
/// dq, dk and the gradients of the parameters [1, count], from the cotangent ds.
std::vector<double> backward_scores(Block& block, const SchemeCase& scheme, const Tensor& q,
                                    const Tensor& k, const Tensor& ds, const Tensor& dq,
                                    const Tensor& dk);

/// Σ of squares of the scores, whitened, each query's row in units of its own standard deviation:
/// χ²(n m) when every row has the variance that the scheme states, n = `directions()` at most.
///
/// Rows without variance (log_n at one key) must be zeros and are left out. Scores of normed rows
/// are √e σ cos(q, k) in e dimensions: multiplied by ‖q‖/√e and by a radius drawn apart, r² ~
/// χ²(e), they are σ/√e q·g with g Gaussian, and E r² = e leaves their variance as it was. Scores
/// below a cap c are first taken back by c atanh(S/c); then σ = 1.
///
/// @param q the queries of the block, Gaussian of the case's query_sd()
/// @param s the scores of q and of independent standard normal keys
stats::ChiSquared standardised_scores(Block& block, const SchemeCase& scheme, const Tensor& q,
                                      const Tensor& s);

}  // namespace rootdk
