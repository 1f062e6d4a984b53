// The scalars are declared before the templates that call re(x) and the elementary functions.
#include <rootdk/lib/scalars/traits.hpp>
#include <rootdk/lib/scalars/wide.hpp>

#include <boost/multiprecision/eigen.hpp>

#include <rootdk/lib/scalars/wide_product.hpp>

#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(Real50)
ROOTDK_INSTANTIATE_MODEL(Real50)
ROOTDK_INSTANTIATE_KERNELS(Dual50)
ROOTDK_INSTANTIATE_MODEL(Dual50)

}  // namespace rootdk
