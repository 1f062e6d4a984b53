#pragma once

#include <rootdk/lib/random/stream.hpp>
#include <rootdk/properties/gradient/witness.hpp>

#include <functional>
#include <string_view>

namespace rootdk {

/// The value nearest to x in a dtype of at most 64 bits, as a double.
double rounded(Dtype dtype, double x);

/// One configuration of a domain, every field drawn from the stream.
Configuration draw_configuration(const Domain& domain, Stream& stream);

/// Draws the data of an operation in one configuration. Its fields are "dtype", "data" (one of
/// data_kinds()), "power" and "small_cotangent", besides those that give the shapes.
///
/// Cotangents are random and signed on every output. Nothing lies at 0 where the operation has a
/// kink.
///
/// @param stream a stream for each role
GradientCase draw_gradient_case(const Operation& operation, const Configuration& configuration,
                                const std::function<Stream(std::string_view)>& stream);

}  // namespace rootdk
