#pragma once

#include <rootdk/lib/matrix.hpp>
#include <rootdk/lib/random/stream.hpp>

namespace rootdk {

/// Fills W with gain times a matrix of orthonormal columns (rows, if fan_in < fan_out), Haar
/// distributed.
///
/// Q of a Householder QR is Haar only after its columns are multiplied by the signs of R's
/// diagonal.
///
/// @param w weights [fan_in, fan_out]
/// @error ‖WᵀW − g²I‖ ≤ C n u g²; checked by init.orthogonal
/// @source Mezzadri, "How to generate random matrices from the classical compact groups", 2007
template <class T>
void fill_orthogonal(Stream& stream, double gain, MatrixRef<T> w);

}  // namespace rootdk
