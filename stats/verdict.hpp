#pragma once

#include <cstdint>
#include <string_view>

namespace rootdk::stats {

/// What is said of a claim, or of one configuration of it. In rising order of what is said of a
/// claim when its configurations differ.
enum class Verdict : std::uint8_t {
  not_applicable,  ///< the subject lacks an operation that the claim needs
  verified,        ///< an effect of δ or more is excluded at level β
  inconclusive,    ///< neither could be said, for a reason
  untrusted,       ///< a defect that had to be seen was not
  refuted,         ///< the exact test rejects at α
  broken           ///< the claim or the subject failed to run
};

std::string_view name(Verdict verdict);

/// @throws std::invalid_argument if there is no such verdict
Verdict verdict_named(std::string_view name);

}  // namespace rootdk::stats
