#pragma once

#include <rootdk/lib/scalars/dual.hpp>
#include <rootdk/lib/scalars/running.hpp>

#include <Eigen/Core>

// What Eigen wants to know of the scalars of this folder.

namespace rootdk::detail {

/// Of a real scalar that is its own constants' type, with the cost of its operations.
template <class T, int cost, int product_cost>
struct ScalarTraits : Eigen::GenericNumTraits<T> {
  using Real = T;
  using NonInteger = T;
  using Nested = T;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = cost,
    AddCost = cost,
    MulCost = product_cost
  };
};

}  // namespace rootdk::detail

namespace Eigen {

template <class T>
struct NumTraits<rootdk::Dual<T>> : rootdk::detail::ScalarTraits<rootdk::Dual<T>, 2, 6> {};

template <>
struct NumTraits<rootdk::Running> : rootdk::detail::ScalarTraits<rootdk::Running, 4, 10> {};

}  // namespace Eigen
