#include <rootdk/lib/instantiate.ipp>

namespace rootdk {

ROOTDK_INSTANTIATE_KERNELS(double)

}  // namespace rootdk
