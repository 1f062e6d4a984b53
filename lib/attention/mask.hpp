#pragma once

#include <cstdint>

namespace rootdk {

/// Which keys a query sees.
struct Mask {
  /// Query i sees the keys j ≤ i + m − n: the last query sees all keys. With more queries than keys
  /// the first n − m queries see none.
  bool causal = false;
  /// Keys from this one on are padding and are seen by no query; negative for no padding.
  std::int64_t key_length = -1;

  /// Number of keys that query i sees; they are the first ones.
  std::int64_t visible(std::int64_t i, std::int64_t queries, std::int64_t keys) const {
    std::int64_t count = keys;
    if (causal) count = i + keys - queries + 1 < count ? i + keys - queries + 1 : count;
    if (key_length >= 0) count = key_length < count ? key_length : count;
    return count < 0 ? 0 : count;
  }
};

}  // namespace rootdk
