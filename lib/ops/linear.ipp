#pragma once

#include <rootdk/lib/ops/linear.hpp>

namespace rootdk {

template <class T>
void linear(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstVectorRef<T> b, MatrixRef<T> y) {
  y.noalias() = x * w;
  if (b.size() > 0) y.rowwise() += b.transpose();
}

template <class T>
void linear_backward(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstMatrixRef<T> dy,
                     MatrixRef<T> dx, MatrixRef<T> dw, VectorRef<T> db) {
  if (dx.rows() > 0) dx.noalias() = dy * w.transpose();
  if (dw.rows() > 0) dw.noalias() = x.transpose() * dy;
  if (db.size() > 0) db = dy.colwise().sum().transpose();
}

}  // namespace rootdk
