#pragma once

#include <rootdk/lib/ops/linear.hpp>
#include <rootdk/lib/product.hpp>

namespace rootdk {

template <class T>
void linear(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstVectorRef<T> b, MatrixRef<T> y) {
  product<T>(x, w, y);
  if (b.size() > 0) y.rowwise() += b.transpose();
}

template <class T>
void linear_backward(ConstMatrixRef<T> x, ConstMatrixRef<T> w, ConstMatrixRef<T> dy,
                     MatrixRef<T> dx, MatrixRef<T> dw, VectorRef<T> db) {
  if (dx.rows() > 0) product<T, Transposed::right>(dy, w, dx);
  if (dw.rows() > 0) product<T, Transposed::left>(x, dy, dw);
  if (db.size() > 0) db = dy.colwise().sum().transpose();
}

}  // namespace rootdk
