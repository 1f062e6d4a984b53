#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(float)
ROOTDK_INSTANTIATE_MODEL(float)

}  // namespace rootdk
