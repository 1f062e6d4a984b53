#include <rootdk/lib/init/outermost_cell.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace rootdk {

template <class T>
OutermostCell outermost_cell(const Initialiser& rule, const InitSettings& settings) {
  if (rule.law != EntryLaw::uniform && rule.law != EntryLaw::truncated_normal) {
    throw std::invalid_argument(fmt::format("outermost_cell: '{}' has no bound", rule.name));
  }
  const double bound = entry_bound(rule, settings);
  const double cell = std::ldexp(1.0, 2 - std::numeric_limits<T>::digits);
  // Uniform draws are odd multiples of b 2^−(p−1): two of their 2^(p−1) values lie beyond, and
  // rounding, at most b 2^−p, carries no other across.
  if (rule.law == EntryLaw::uniform) return {bound * (1 - cell), cell};
  // A normal value becomes the nearest number, so a cell ends halfway between two numbers, and the
  // last one halfway below the bound. Over so narrow a cell the density is flat.
  const T top = static_cast<T>(bound);
  const T start = static_cast<T>(bound * (1 - cell));
  const auto half_step = [](T x) { return static_cast<double>(x - std::nextafter(x, T(0))) / 2; };
  const double width = static_cast<double>(top - start) - half_step(top) + half_step(start);
  return {static_cast<double>(start),
          2 * entry_density(rule, settings, bound * (1 - cell)) * width};
}

template OutermostCell outermost_cell<double>(const Initialiser&, const InitSettings&);
template OutermostCell outermost_cell<float>(const Initialiser&, const InitSettings&);

}  // namespace rootdk
