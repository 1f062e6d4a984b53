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

/// Boost makes these limits on first use and without a lock: they are asked for before there is a
/// second thread. Its logarithm asks for those of the number with expression templates.
template <class T>
auto limits() {
  using Limits = std::numeric_limits<T>;
  return std::array{Limits::epsilon(), Limits::round_error(), Limits::min(),      Limits::max(),
                    Limits::lowest(),  Limits::infinity(),    Limits::quiet_NaN()};
}
[[maybe_unused]] const auto kLimits = limits<Real50>();
[[maybe_unused]] const auto kTemplateLimits =
    limits<boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                         boost::multiprecision::et_on>>();

}  // namespace

ROOTDK_INSTANTIATE_KERNELS(Real50)
ROOTDK_INSTANTIATE_MODEL(Real50)
ROOTDK_INSTANTIATE_KERNELS(Dual50)
ROOTDK_INSTANTIATE_MODEL(Dual50)

}  // namespace rootdk
