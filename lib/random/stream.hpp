#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace rootdk {

/// Where a stream of random bits lies. Two different addresses give unrelated streams, so data
/// never depend on the order, the filter, the thread or the process in which they are drawn.
struct Address {
  std::uint64_t seed = 0;           ///< seed of the run
  std::uint64_t claim = 0;          ///< hash of the claim's id
  std::uint64_t configuration = 0;  ///< hash of the configuration's text
  std::uint64_t block = 0;          ///< number of the independent block
  std::uint64_t role = 0;           ///< hash of the role's name: "Q", "W"
};

/// 64-bit FNV-1a hash of a text, the same on every machine.
///
/// @source Fowler, Noll, Vo, "FNV Non-Cryptographic Hash Algorithm"
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 14695981039346656037ULL;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return value;
}

/// Counter-based stream of random 64-bit words: Philox4x64-10 keyed by (seed, claim) over the
/// counter (position, block, configuration, role). Meets UniformRandomBitGenerator.
///
/// @source Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011
class Stream {
 public:
  using result_type = std::uint64_t;

  explicit Stream(const Address& address)
      : key_{{address.seed, address.claim}},
        counter_{{0, address.block, address.configuration, address.role}} {}

  /// The stream of a bare seed, for callers that have no claim at hand.
  explicit Stream(std::uint64_t seed) : Stream(Address{.seed = seed}) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }

  /// The words that come next, at least one, for loops that look at many; `skip` takes the first.
  std::span<const result_type> ahead() {
    if (next_ == words_.size()) refill();
    return std::span<const result_type>(words_).subspan(next_);
  }
  void skip(std::size_t count) { next_ += count; }

 private:
  void refill();

  r123::Philox4x64::key_type key_;
  r123::Philox4x64::ctr_type counter_;
  std::array<std::uint64_t, 32> words_{};
  std::size_t next_ = words_.size();
};

}  // namespace rootdk
