#pragma once

#include <rootdk/lib/init/rules.hpp>
#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/random/stream.hpp>

namespace rootdk {

/// Fills W with draws of the rule.
///
/// Orthogonal: Householder QR of a Gaussian matrix, columns multiplied by the signs of R's
/// diagonal, which makes the law Haar's; the longer side has orthogonal rows or columns of length
/// gain.
///
/// @param w weights [fan_in, fan_out]; the shape need not equal the fans of settings, as when one
///        matrix packs several roles
/// @throws std::invalid_argument if a fan, gain, d_k or branches is not positive
template <class T>
void initialise(const Initialiser& rule, const InitSettings& settings, Stream& stream,
                MatrixRef<T> w);

}  // namespace rootdk
