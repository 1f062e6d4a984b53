#pragma once

#include <rootdk/properties/subject.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The messages between the command and a subject in another process: one line of JSON, then raw
// little-endian scalars. Described for implementers in docs/subject-protocol.md.

namespace rootdk::protocol {

inline constexpr std::string_view kVersion = "rootdk/subject/1";

std::string_view name(Pass pass);

nlohmann::json to_json(const Attributes& attributes);

/// Attributes read from a message; the texts live as long as the message.
struct ReceivedAttributes {
  nlohmann::json json;
  std::vector<std::int64_t> key_lengths, labels;
  std::vector<std::uint64_t> words;
  Attributes view() const;
};
ReceivedAttributes attributes_from(nlohmann::json json);

/// {"dtype": "f32", "shape": [1, 1, n, m]} of each tensor.
nlohmann::json layouts(std::span<const Tensor> tensors);

/// The scalars of a tensor, row by row, whatever its strides; and back.
void append_bytes(std::vector<std::byte>& bytes, const Tensor& tensor);
void from_bytes(std::span<const std::byte> bytes, const Tensor& tensor);
std::size_t byte_count(const Tensor& tensor);

}  // namespace rootdk::protocol
