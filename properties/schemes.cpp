#include <rootdk/properties/schemes.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>

namespace rootdk {

Domain& add_scheme_axes(Domain& domain, const SchemeFacts& facts) {
  domain.integer("heads", 1, 12).integer("layer", 0, 11);
  domain.choice("mask", {"none", "causal", "padding", "both"});
  constexpr double step = 1.0 / 64;
  for (const SchemeParameter& p : facts.parameters) {
    domain.real(std::string(p.name), p.low, p.high, step);
  }
  return domain;
}

ScoreContext SchemeCase::context(std::int64_t query) const {
  return {.d_k = d_k,
          .d_model = heads * d_k,
          .layer = layer,
          .keys = mask.visible(query, queries, keys)};
}

double SchemeCase::query_sd() const {
  return facts->scales_query ? 1 / std::sqrt(static_cast<double>(d_k)) : 1;
}

Attributes SchemeCase::attributes() const {
  Attributes result{.scheme = facts->name,
                    .heads = heads,
                    .layer = layer,
                    .causal = mask.causal,
                    .epsilon = epsilon};
  if (mask.key_length >= 0) result.key_lengths = std::span(&mask.key_length, 1);
  return result;
}

SchemeCase scheme_case(const SchemeFacts& facts, const Configuration& c) {
  SchemeCase result{.facts = &facts,
                    .parameters = {},
                    .d_k = c.integer("d_k"),
                    .queries = c.integer("n"),
                    .keys = c.integer("m"),
                    .heads = c.integer("heads"),
                    .layer = c.integer("layer"),
                    .mask = {}};
  const std::string& mask = c.text("mask");
  result.mask.causal = mask == "causal" || mask == "both";
  if (mask == "padding" || mask == "both") result.mask.key_length = 1 + result.keys / 2;
  for (const SchemeParameter& p : facts.parameters) {
    result.parameters.push_back(c.real(std::string(p.name)));
  }
  return result;
}

void forward_scores(Block& block, const SchemeCase& scheme, const Tensor& q, const Tensor& k,
                    const Tensor& s) {
  const Attributes attributes = scheme.attributes();
  if (scheme.parameters.empty()) {
    block.forward("scores", attributes, {q, k}, {s});
  } else {
    block.forward("scores", attributes, {q, k, block.row(scheme.parameters, s.dtype)}, {s});
  }
}

std::vector<double> backward_scores(Block& block, const SchemeCase& scheme, const Tensor& q,
                                    const Tensor& k, const Tensor& ds, const Tensor& dq,
                                    const Tensor& dk) {
  const Attributes attributes = scheme.attributes();
  if (scheme.parameters.empty()) {
    block.backward("scores", attributes, {q, k, ds}, {dq, dk});
    return {};
  }
  const Tensor parameters = block.row(scheme.parameters, ds.dtype);
  const Tensor gradient = block.row(scheme.parameters, ds.dtype);
  block.backward("scores", attributes, {q, k, parameters, ds}, {dq, dk, gradient});
  const auto values = block.values(gradient);
  return {values.begin(), values.end()};
}

namespace {

/// The part of a row in which its direction lies: all of it, or what its mean leaves.
void keep_direction(RowNorm rows, std::span<double> row) {
  if (rows != RowNorm::layer) return;
  const auto width = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / width;
  for (double& value : row) value -= mean;
}

double length(std::span<const double> row) {
  return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

/// What each key's column is multiplied by: 1, or a radius over its root mean square.
std::vector<double> radii(Block& block, const SchemeCase& scheme) {
  std::vector<double> result(static_cast<std::size_t>(scheme.keys), 1.0);
  if (scheme.facts->rows == RowNorm::none) return result;
  const auto e = static_cast<std::size_t>(scheme.directions());
  const auto normals =
      block.values(block.normal("radius", scheme.keys, scheme.directions(), 1, Dtype::f64));
  for (std::size_t j = 0; j < result.size(); ++j) {
    result[j] = length(normals.subspan(j * e, e)) / std::sqrt(static_cast<double>(e));
  }
  return result;
}

}  // namespace

stats::ChiSquared standardised_scores(Block& block, const SchemeCase& scheme, const Tensor& q,
                                      const Tensor& s) {
  const auto d = static_cast<std::size_t>(scheme.d_k);
  const auto m = static_cast<std::size_t>(scheme.keys);
  const bool normed = scheme.facts->rows != RowNorm::none;
  const double cap = scheme.facts->capped ? scheme.bound() : 0;
  const double root = std::sqrt(static_cast<double>(scheme.directions()));
  const auto queries = block.values(q);
  const auto scores = block.values(s);
  const std::vector<double> radius = radii(block, scheme);
  std::vector<double> rows;
  std::vector<double> values;
  std::int64_t used = 0;
  bool zeros = true;
  for (std::int64_t i = 0; i < scheme.queries; ++i) {
    const double sigma = cap > 0 ? 1 : std::sqrt(scheme.variance(i));
    const auto at = static_cast<std::size_t>(i);
    if (sigma == 0) {
      for (const double seen : scores.subspan(at * m, m)) zeros = zeros && seen == 0;
      continue;
    }
    rows.insert(rows.end(), queries.begin() + static_cast<std::ptrdiff_t>(at * d),
                queries.begin() + static_cast<std::ptrdiff_t>((at + 1) * d));
    const std::span row = std::span(rows).last(d);
    keep_direction(scheme.facts->rows, row);
    const double weight = (normed ? length(row) / root : 1) / sigma;
    for (std::size_t j = 0; j < m; ++j) {
      const double seen = scores[at * m + j];
      values.push_back((cap > 0 ? cap * std::atanh(seen / cap) : seen) * weight * radius[j]);
    }
    ++used;
  }
  // A sum that is not finite has probability 0: it refutes.
  if (!zeros) values.assign(values.size(), std::numeric_limits<double>::infinity());
  return stats::whitened_scores({values, used, scheme.keys}, rows, 1 / (root * scheme.query_sd()));
}

}  // namespace rootdk
