#pragma once

#include <rootdk/lib/scalars/dual.hpp>
#include <rootdk/lib/scalars/running.hpp>

#include <Eigen/Core>

// What Eigen wants to know of the scalars of this folder.

namespace Eigen {

template <class T>
struct NumTraits<rootdk::Dual<T>> : GenericNumTraits<rootdk::Dual<T>> {
  using Real = rootdk::Dual<T>;
  using NonInteger = rootdk::Dual<T>;
  using Nested = rootdk::Dual<T>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 6
  };
};

template <>
struct NumTraits<rootdk::Running> : GenericNumTraits<rootdk::Running> {
  using Real = rootdk::Running;
  using NonInteger = rootdk::Running;
  using Nested = rootdk::Running;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = 4,
    MulCost = 10
  };
};

}  // namespace Eigen
