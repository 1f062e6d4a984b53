#include <rootdk/lib/scratch.hpp>

#include <algorithm>
#include <new>

namespace rootdk::detail {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kChunk = std::size_t{1} << 16;

}  // namespace

void ScratchStack::Free::operator()(std::byte* memory) const {
  ::operator delete (memory, std::align_val_t{kAlignment});
}

ScratchStack& ScratchStack::here() {
  static thread_local ScratchStack stack;
  return stack;
}

void* ScratchStack::take(std::size_t bytes) {
  const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  marks_.push_back(next_);
  while (next_.chunk < chunks_.size() && next_.used + size > chunks_[next_.chunk].size) {
    next_ = {next_.chunk + 1, 0};
  }
  if (next_.chunk == chunks_.size()) {
    const std::size_t length = std::max(size, kChunk);
    auto* memory = static_cast<std::byte*>(::operator new (length, std::align_val_t{kAlignment}));
    chunks_.push_back({.memory = std::unique_ptr<std::byte, Free>(memory), .size = length});
  }
  std::byte* result = chunks_[next_.chunk].memory.get() + next_.used;
  next_.used += size;
  return result;
}

void ScratchStack::give_back() {
  next_ = marks_.back();
  marks_.pop_back();
}

}  // namespace rootdk::detail
