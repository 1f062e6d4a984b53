// The scalars are declared before the templates that call re(x) and the elementary functions.
#include <rootdk/lib/scalars/traits.hpp>
#include <rootdk/lib/scalars/wide.hpp>

#include <boost/multiprecision/eigen.hpp>

#include <rootdk/lib/scalars/wide_product.hpp>

#include <rootdk/lib/instantiate.ipp>

#include <array>
#include <limits>

namespace rootdk {
namespace {

/// Boost makes these limits on first use and without a lock, and its logarithm asks for one: they are
/// asked for before there is a second thread.
using Limits = std::numeric_limits<Real50>;
[[maybe_unused]] const std::array kLimits{
    Limits::epsilon(),  Limits::round_error(), Limits::min(),   Limits::max(),
    Limits::infinity(), Limits::quiet_NaN(),   Limits::lowest()};

}  // namespace

ROOTDK_INSTANTIATE_KERNELS(Real50)
ROOTDK_INSTANTIATE_MODEL(Real50)
ROOTDK_INSTANTIATE_KERNELS(Dual50)
ROOTDK_INSTANTIATE_MODEL(Dual50)

}  // namespace rootdk
