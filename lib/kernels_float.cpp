#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(float)

}  // namespace rootdk
