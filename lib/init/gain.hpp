#pragma once

#include <rootdk/lib/ops/activation_names.hpp>

namespace rootdk {

/// The gain g = 1/√(E f(z)²), z ~ N(0, 1), of the layer after an activation: with weights of
/// variance g²/n_in, the map x ↦ f(x) W keeps pre-activations of variance 1 at variance 1.
///
/// relu √2, leaky relu √(2/(1 + a²)), gelu 1/√(1/3 + 1/(2π√3)), identity and selu 1; the others
/// have no closed form and are given to the last digit.
///
/// @param slope slope a of leaky ReLU; others ignore it
/// @error ≤ 4 u relative; checked by init.gain
/// @source He et al., "Delving deep into rectifiers", 2015, for relu; the definition for the rest
double activation_gain(Activation f, double slope = 0);

}  // namespace rootdk
