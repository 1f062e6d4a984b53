#include <rootdk/lib/init/initialisers.hpp>
#include <rootdk/lib/init/orthogonal.hpp>
#include <rootdk/lib/random/draws.hpp>

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <stdexcept>

namespace rootdk {
namespace {

void require_positive(double value, std::string_view what) {
  if (!(value > 0)) {
    throw std::invalid_argument(fmt::format("initialise: {} is {}, must be positive", what, value));
  }
}

}  // namespace

template <class T>
void initialise(const Initialiser& rule, const InitSettings& settings, Stream& stream,
                MatrixRef<T> w) {
  require_positive(settings.fan_in, "fan_in");
  require_positive(settings.fan_out, "fan_out");
  require_positive(settings.gain, "gain");
  require_positive(settings.d_k, "d_k");
  require_positive(settings.branches, "branches");
  if (rule.law == EntryLaw::orthogonal) return fill_orthogonal<T>(stream, settings.gain, w);

  const double sd = std::sqrt(entry_variance(rule, settings));
  const double bound = entry_bound(rule, settings);
  for (Eigen::Index i = 0; i < w.rows(); ++i) {
    const std::span<T> row(&w(i, 0), static_cast<std::size_t>(w.cols()));
    switch (rule.law) {
      case EntryLaw::normal:
        fill_normal<T>(stream, row, 0, sd);
        break;
      case EntryLaw::uniform:
        fill_uniform<T>(stream, row, bound);
        break;
      default:
        fill_truncated_normal<T>(stream, row, bound / kTruncation);
    }
  }
}

template void initialise<double>(const Initialiser&, const InitSettings&, Stream&,
                                 MatrixRef<double>);
template void initialise<float>(const Initialiser&, const InitSettings&, Stream&, MatrixRef<float>);

}  // namespace rootdk
