#include <rootdk/lib/scalars/stored.hpp>

#include <cmath>

namespace rootdk {
namespace {

// Dual numbers carry no reference to a source, and the operations have no argument for one.
thread_local Stream* source_of_changes = nullptr;

}  // namespace

StoredNoise::StoredNoise(Stream& source) { source_of_changes = &source; }
StoredNoise::~StoredNoise() { source_of_changes = nullptr; }

double random_change(Stream& source) {
  const double change = static_cast<double>(source() >> 11U) * 0x1p-52 - 1;
  return change + std::copysign(0.5, change);
}

double detail::stored_change() {
  return source_of_changes == nullptr ? 0 : random_change(*source_of_changes);
}

}  // namespace rootdk
