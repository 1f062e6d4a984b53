#pragma once

#include <rootdk/properties/subject.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rootdk::defects::numbers {

/// A subject whose products of two matrices stop one term short of the end, where there are two or
/// more.
///
/// @param axis of the second matrix along which is summed: 2 for its rows, 3 for its columns
inline Subject last_term_dropped(const Subject& subject, std::string name, std::string_view op,
                                 std::size_t axis) {
  return subject.with(std::move(name), op, Pass::forward, [axis](Kernel kernel) -> Kernel {
    return
        [kernel = std::move(kernel), axis](const Attributes& attributes, std::span<const Tensor> in,
                                           std::span<const Tensor> out) {
          std::vector<Tensor> shorter(in.begin(), in.end());
          if (in[0].cols() > 1) {
            --shorter[0].shape[3];
            --shorter[1].shape[axis];
          }
          kernel(attributes, shorter, out);
        };
  });
}

}  // namespace rootdk::defects::numbers
