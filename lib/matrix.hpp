#pragma once

#include <Eigen/Core>

namespace rootdk {

/// Row-major matrix: rows are tokens (or inputs), columns are features. y = x W throughout.
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A column of one value a row (or a row of one value a feature).
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// Borrowed matrix whose rows may lie apart and whose columns are adjacent.
template <class T>
using MatrixRef = Eigen::Ref<Matrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using ConstMatrixRef = Eigen::Ref<const Matrix<T>, 0, Eigen::OuterStride<>>;

template <class T>
using VectorRef = Eigen::Ref<Vector<T>>;
template <class T>
using ConstVectorRef = Eigen::Ref<const Vector<T>>;

}  // namespace rootdk
