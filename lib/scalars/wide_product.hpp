#pragma once

#include <rootdk/lib/product.hpp>
#include <rootdk/lib/scalars/wide_sum.hpp>

#include <utility>
#include <vector>

namespace rootdk {
namespace detail {

/// Rows of terms, for sums of products of one with another.
class WideRows {
 public:
  WideRows(Eigen::Index rows, Eigen::Index length)
      : length_(static_cast<std::size_t>(length)),
        terms_(static_cast<std::size_t>(rows) * length_) {}

  /// @return false if x is not finite
  bool set(Eigen::Index row, Eigen::Index k, const Real50& x) {
    return split(x, terms_[static_cast<std::size_t>(row) * length_ + static_cast<std::size_t>(k)]);
  }
  std::span<const WideTerm> row(Eigen::Index row) const {
    return std::span(terms_).subspan(static_cast<std::size_t>(row) * length_, length_);
  }

 private:
  std::size_t length_;
  std::vector<WideTerm> terms_;
};

}  // namespace detail

/// Factors are taken apart once, and each sum is rounded once. With infinities or NaN plain sums.
template <>
struct ProductOf<Real50> {
  template <class Left, class Right>
  static void of(Eigen::Index inner, Left&& left, Right&& right, MatrixRef<Real50> c) {
    detail::WideRows a(c.rows(), inner);
    detail::WideRows b(c.cols(), inner);
    bool finite = true;
    for (Eigen::Index k = 0; k < inner; ++k) {
      for (Eigen::Index i = 0; i < c.rows(); ++i) finite &= a.set(i, k, left(i, k));
      for (Eigen::Index j = 0; j < c.cols(); ++j) finite &= b.set(j, k, right(k, j));
    }
    if (!finite) return detail::plain_product<Real50>(inner, left, right, c);
    for (Eigen::Index i = 0; i < c.rows(); ++i) {
      for (Eigen::Index j = 0; j < c.cols(); ++j) {
        c(i, j) = detail::sum_of_products(a.row(i), b.row(j));
      }
    }
  }
};

/// The slope of a sum of products is the sum of a'b + ab'.
template <>
struct ProductOf<Dual50> {
  template <class Left, class Right>
  static void of(Eigen::Index inner, Left&& left, Right&& right, MatrixRef<Dual50> c) {
    const auto length = static_cast<std::size_t>(inner);
    detail::WideRows a(c.rows(), 2 * inner);  // a, a'
    detail::WideRows b(c.cols(), 2 * inner);  // b', b
    bool finite = true;
    for (Eigen::Index k = 0; k < inner; ++k) {
      for (Eigen::Index i = 0; i < c.rows(); ++i) {
        finite &= a.set(i, k, left(i, k).value) && a.set(i, inner + k, left(i, k).slope);
      }
      for (Eigen::Index j = 0; j < c.cols(); ++j) {
        finite &= b.set(j, k, right(k, j).slope) && b.set(j, inner + k, right(k, j).value);
      }
    }
    if (!finite) return detail::plain_product<Dual50>(inner, left, right, c);
    for (Eigen::Index i = 0; i < c.rows(); ++i) {
      for (Eigen::Index j = 0; j < c.cols(); ++j) {
        c(i, j) = Dual50(detail::sum_of_products(a.row(i).first(length), b.row(j).last(length)),
                         detail::sum_of_products(a.row(i), b.row(j)));
      }
    }
  }
};

}  // namespace rootdk
