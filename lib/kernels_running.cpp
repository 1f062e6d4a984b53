#include <rootdk/lib/scalars/traits.hpp>

#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(Running)
ROOTDK_INSTANTIATE_MODEL(Running)
ROOTDK_INSTANTIATE_KERNELS(Dual<double>)
ROOTDK_INSTANTIATE_MODEL(Dual<double>)

}  // namespace rootdk
