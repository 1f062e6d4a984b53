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

VectorMap vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

ChiSquared sum_of_squares(Independent values, double sigma) {
  return {static_cast<double>(values.values.size()),
          vector(values.values).squaredNorm() / (sigma * sigma)};
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
  const auto d = static_cast<Eigen::Index>(q.size()) / s.rows;
  if (s.rows > d) {
    throw std::invalid_argument(
        fmt::format("whitened_scores: {} queries of width {} have no full rank", s.rows, d));
  }
  const MatrixMap queries(q.data(), s.rows, d);
  const MatrixMap scores(s.values.data(), s.rows, s.cols);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(s.rows, s.rows);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(queries);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(gram);
  const Eigen::MatrixXd white = cholesky.matrixL().solve(scores);
  return {static_cast<double>(s.rows * s.cols), white.squaredNorm() / (sigma_k * sigma_k)};
}

ChiSquared operator+(ChiSquared a, ChiSquared b) { return {a.nu() + b.nu(), a.x() + b.x()}; }

}  // namespace rootdk::stats
