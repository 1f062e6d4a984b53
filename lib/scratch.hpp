#pragma once

#include <rootdk/lib/matrix.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace rootdk {
namespace detail {

/// This thread's memory for intermediate results: taken and given back in the order of a stack, and
/// asked of the system once. Large blocks from the heap would be mapped and cleared anew each time.
class ScratchStack {
 public:
  static ScratchStack& here();

  /// 64-byte aligned memory, until the matching give_back.
  void* take(std::size_t bytes);
  void give_back();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size;
  };
  struct Mark {
    std::size_t chunk, used;
  };
  std::vector<Chunk> chunks_;
  std::vector<Mark> marks_;  ///< where each taken piece began
  Mark next_{0, 0};
};

/// A matrix of built-in numbers on the stack of scratch memory, not set.
template <class T>
class ScratchMatrix : public Eigen::Map<Matrix<T>> {
 public:
  ScratchMatrix(Eigen::Index rows, Eigen::Index cols)
      : Eigen::Map<Matrix<T>>(static_cast<T*>(ScratchStack::here().take(
                                  static_cast<std::size_t>(rows * cols) * sizeof(T))),
                              rows, cols) {}
  ~ScratchMatrix() { ScratchStack::here().give_back(); }
  ScratchMatrix(const ScratchMatrix&) = delete;
  ScratchMatrix& operator=(const ScratchMatrix&) = delete;
  using Eigen::Map<Matrix<T>>::operator=;
};

}  // namespace detail

/// A matrix for intermediate results that lives within a block of code, not set. Of built-in numbers
/// it is memory of this thread, of others a plain matrix.
template <class T>
using Scratch =
    std::conditional_t<std::is_floating_point_v<T>, detail::ScratchMatrix<T>, Matrix<T>>;

}  // namespace rootdk
