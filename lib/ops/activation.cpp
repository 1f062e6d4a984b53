#include <rootdk/lib/ops/activation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr std::array kActivations{
    NamedActivation{Activation::identity, "identity"},
    NamedActivation{Activation::relu, "relu"},
    NamedActivation{Activation::leaky_relu, "leaky_relu"},
    NamedActivation{Activation::tanh, "tanh"},
    NamedActivation{Activation::sigmoid, "sigmoid"},
    NamedActivation{Activation::silu, "silu"},
    NamedActivation{Activation::gelu, "gelu"},
    NamedActivation{Activation::selu, "selu"},
};

}  // namespace

std::span<const NamedActivation> activations() { return kActivations; }

Activation activation_named(std::string_view name) {
  const auto found = std::ranges::find(kActivations, name, &NamedActivation::name);
  if (found == kActivations.end()) {
    throw std::invalid_argument(fmt::format("activation: there is no '{}'", name));
  }
  return found->kind;
}

}  // namespace rootdk
