#include <rootdk/properties/workspace.hpp>

#include <algorithm>
#include <new>

namespace rootdk {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kChunk = std::size_t{1} << 18;

}  // namespace

void Workspace::Free::operator()(std::byte* memory) const {
  ::operator delete (memory, std::align_val_t{kAlignment});
}

void* Workspace::allocate(std::size_t bytes) {
  const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  while (chunk_ < chunks_.size() && used_ + size > chunks_[chunk_].size) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    const std::size_t length = std::max(size, kChunk);
    auto* memory = static_cast<std::byte*>(::operator new (length, std::align_val_t{kAlignment}));
    chunks_.push_back({.memory = std::unique_ptr<std::byte, Free>(memory), .size = length});
  }
  std::byte* result = chunks_[chunk_].memory.get() + used_;
  used_ += size;
  return result;
}

void Workspace::clear() {
  chunk_ = 0;
  used_ = 0;
}

}  // namespace rootdk
