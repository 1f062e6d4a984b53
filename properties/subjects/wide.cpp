// The scalars are declared before the templates that call re(x) and the elementary functions.
#include <rootdk/lib/scalars/traits.hpp>
#include <rootdk/lib/scalars/wide.hpp>

#include <boost/multiprecision/eigen.hpp>

#include <rootdk/properties/subjects/kernels.hpp>
#include <rootdk/properties/wide.hpp>

namespace rootdk {

void add_wide_operations(Subject& subject) {
  kernels::add_operations<Real50>(subject, Dtype::r50);
  kernels::add_operations<Dual50>(subject, Dtype::d50);
  kernels::add_operations<Running>(subject, Dtype::e64);
  kernels::add_operations<Dual<double>>(subject, Dtype::d64);
}

}  // namespace rootdk
