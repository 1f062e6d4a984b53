#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rootdk {

enum class Activation : std::uint8_t {
  identity,
  relu,
  leaky_relu,
  tanh,
  sigmoid,
  silu,
  gelu,
  selu
};

/// All activations with their names, in the order of the enumeration.
struct NamedActivation {
  Activation kind;
  std::string_view name;
};
std::span<const NamedActivation> activations();

/// The activation of that name.
///
/// @throws std::invalid_argument if there is none, naming it
Activation activation_named(std::string_view name);

}  // namespace rootdk
