#pragma once

#include <rootdk/properties/subject.hpp>

namespace rootdk {

/// Adds the library's operations about initialisation that are no differentiated operation:
/// init_parameter in double and float, activation_gain and the transforms of words in all dtypes.
void add_initialisation(Subject& subject);

}  // namespace rootdk
