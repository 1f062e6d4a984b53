#include <rootdk/lib/random/stream.hpp>

namespace rootdk {

void Stream::refill() {
  // Eight counters in flight hide the latency of the 64 x 64 -> 128 bit products.
  constexpr std::size_t width = r123::Philox4x64::ctr_type::static_size;
  const r123::Philox4x64 philox;
  for (std::size_t i = 0; i < words_.size(); i += width) {
    const auto block = philox(counter_, key_);
    for (std::size_t j = 0; j < width; ++j) words_[i + j] = block[j];
    ++counter_[0];
  }
  next_ = 0;
}

}  // namespace rootdk
