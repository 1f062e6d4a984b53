#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(double)
ROOTDK_INSTANTIATE_MODEL(double)

}  // namespace rootdk
