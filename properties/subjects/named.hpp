#pragma once

#include <rootdk/properties/claim.hpp>

namespace rootdk {

/// Called by the registry that `rootdk_add_subjects` generates: the name is the path of the file
/// with dots.
void add_named_subject(std::string_view name, NamedSubject (*make)());

}  // namespace rootdk
