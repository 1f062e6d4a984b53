#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace rootdk {

/// Memory for one block after another: allocation moves a mark, clearing sets it back, and after
/// the first blocks nothing is asked of the system. One a worker thread.
class Workspace {
 public:
  /// 64-byte aligned memory, valid until clear().
  void* allocate(std::size_t bytes);
  void clear();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
};

}  // namespace rootdk
