#include <rootdk/stats/chi_squared.hpp>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <stdexcept>

namespace rootdk::stats {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<const RowMajor>;
using VectorMap = Eigen::Map<const Eigen::VectorXd>;

/// An aligned copy. A sum over borrowed memory would start its vector loop where the address allows, and
/// differ in the last bit from one thread's memory to another's.
Eigen::VectorXd vector(std::span<const double> values) {
  return VectorMap(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Without a copy: Eigen's sum of an expression, here of squares, starts at its first entry.
double squared_norm(std::span<const double> values) {
  return VectorMap(values.data(), static_cast<Eigen::Index>(values.size())).squaredNorm();
}

/// L⁻¹ S, L Lᵀ = Q Qᵀ.
RowMajor whitened(RowMajor scores, std::span<const double> q) {
  const Eigen::Index rows = scores.rows();
  const auto d = static_cast<Eigen::Index>(q.size()) / rows;
  if (rows > d) {
    throw std::invalid_argument(
        fmt::format("whitened_scores: {} queries of width {} have no full rank", rows, d));
  }
  const MatrixMap queries(q.data(), rows, d);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(rows, rows);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(queries);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(gram);
  cholesky.matrixL().solveInPlace(scores);
  return scores;
}

}  // namespace

ChiSquared sum_of_squares(Independent values, double sigma) {
  return {static_cast<double>(values.values.size()), squared_norm(values.values) / (sigma * sigma)};
}

ChiSquared sum_of_norms(Independent squared_norms, double dimension, double sigma) {
  return {static_cast<double>(squared_norms.values.size()) * dimension,
          vector(squared_norms.values).sum() / (sigma * sigma)};
}

ChiSquared linear_output(std::span<const double> y, std::span<const double> x, double sigma_w) {
  return {static_cast<double>(y.size()),
          vector(y).squaredNorm() / (sigma_w * sigma_w * vector(x).squaredNorm())};
}

ChiSquared whitened_scores(SharedRows s, std::span<const double> q, double sigma_k) {
  const MatrixMap scores(s.values.data(), s.rows, s.cols);
  return {static_cast<double>(s.rows * s.cols),
          whitened(scores, q).squaredNorm() / (sigma_k * sigma_k)};
}

ChiSquared whitened_chain(SharedRows s, std::span<const double> q, std::span<const double> x,
                          double sigma_w) {
  const MatrixMap scores(s.values.data(), s.rows, s.cols);
  const RowMajor left = whitened(scores, q);
  return {static_cast<double>(s.rows * s.cols),
          whitened(left.transpose(), x).squaredNorm() / (sigma_w * sigma_w)};
}

ChiSquared orthogonal_part(std::span<const double> y, std::span<const double> x, double sigma) {
  const Eigen::VectorXd direction = vector(x);
  const double along = vector(y).dot(direction) / direction.squaredNorm();
  return {static_cast<double>(y.size()) - 1,
          (vector(y) - along * direction).squaredNorm() / (sigma * sigma)};
}

ChiSquared operator+(ChiSquared a, ChiSquared b) { return {a.nu() + b.nu(), a.x() + b.x()}; }

}  // namespace rootdk::stats
