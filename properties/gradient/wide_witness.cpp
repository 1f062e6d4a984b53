#include <rootdk/lib/random/stream.hpp>
#include <rootdk/lib/scalars/running.hpp>
#include <rootdk/lib/scalars/stored.hpp>
#include <rootdk/lib/scalars/wide.hpp>
#include <rootdk/properties/gradient/tensors.hpp>

#include <algorithm>
#include <cmath>

// The witnesses that need 50 digits.

namespace rootdk {
namespace {

constexpr double kRoundoff = 0x1p-168;
// Accepted difference of W1 relative to Σ|gᵢuᵢ|: far above rounding, and so far below any fault
// that a relative error of 1e-20 is missed with probability 3e-21.
constexpr double kFormula = 1e-42;
// The same of W2: after extrapolation h⁴ times a fifth derivative is left.
constexpr double kIndependence = 1e-30;
constexpr double kStep = 1e-17;
// Sums of the comparison itself and the tangents of the forward pass round a few times as often as
// the values that are bounded.
constexpr double kSums = 64;

template <class T>
T* data(const OwnedTensor& tensor) {
  return static_cast<T*>(tensor.tensor.data);
}

template <class T, class Make>
Owned inputs(Dtype dtype, const GradientCase& at, Make&& make) {
  return filled<T>(dtype, input_shapes(at), make);
}

template <class T>
Owned cotangents(Dtype dtype, const GradientCase& at) {
  return filled<T>(dtype, at.instance.outputs,
                   [&](auto k, auto i) { return T(at.cotangents[k][i]); });
}

Owned forward(const Subject& subject, const GradientCase& at, Dtype dtype, const Owned& in) {
  Owned out = zeros(dtype, at.instance.outputs);
  subject.call(at.operation->op, Pass::forward, at.attributes(), borrowed(in), borrowed(out));
  return out;
}

Owned backward(const Subject& subject, const GradientCase& at, Dtype dtype, const Owned& in,
               const Owned& cotangent) {
  Owned out = zeros(dtype, input_shapes(at));
  subject.call(at.operation->op, Pass::backward, at.attributes(), borrowed(in, cotangent),
               borrowed(out));
  return out;
}

/// f(k, i) for each entry.
template <class F>
void for_each_entry(const std::vector<Values>& values, F&& f) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t i = 0; i < values[k].size(); ++i) f(k, i);
  }
}

Owned plain_inputs(const GradientCase& at) {
  return inputs<Real50>(Dtype::r50, at, [&](auto k, auto i) { return Real50(at.inputs[k][i]); });
}

/// Inputs moved along a direction, x + step · u.
Owned moved(const GradientCase& at, const std::vector<Values>& direction, const Real50& step) {
  return inputs<Real50>(Dtype::r50, at, [&](auto k, auto i) {
    return Real50(Real50(at.inputs[k][i]) + step * Real50(direction[k][i]));
  });
}

/// x + step · v, with the tangent u.
Owned dual_inputs(const GradientCase& at, const std::vector<Values>& tangent,
                  const std::vector<Values>& direction, const Real50& step) {
  return inputs<Dual50>(Dtype::d50, at, [&](auto k, auto i) {
    return Dual50(Real50(Real50(at.inputs[k][i]) + step * Real50(direction[k][i])),
                  Real50(tangent[k][i]));
  });
}

struct Sum {
  Real50 value = 0;
  Real50 magnitude = 0;

  void add(const Real50& term) {
    value += term;
    magnitude += abs(term);
  }
};

/// ⟨w, out⟩ of plain outputs.
Sum weighted(const GradientCase& at, const Owned& out) {
  Sum sum;
  for_each_entry(at.cotangents, [&](auto k, auto i) {
    sum.add(Real50(at.cotangents[k][i]) * data<Real50>(out[k])[i]);
  });
  return sum;
}

/// ⟨w, J u⟩ of outputs that carry J u.
Sum weighted_tangent(const GradientCase& at, const Owned& out) {
  Sum sum;
  for_each_entry(at.cotangents, [&](auto k, auto i) {
    sum.add(Real50(at.cotangents[k][i]) * data<Dual50>(out[k])[i].slope);
  });
  return sum;
}

Sum along(const std::vector<Values>& direction, const Owned& gradient) {
  Sum sum;
  for_each_entry(direction, [&](auto k, auto i) {
    sum.add(Real50(direction[k][i]) * data<Real50>(gradient[k])[i]);
  });
  return sum;
}

/// ⟨u, H v⟩ from gradients that carry H v.
Sum along_tangent(const std::vector<Values>& direction, const Owned& gradient) {
  Sum sum;
  for_each_entry(direction, [&](auto k, auto i) {
    sum.add(Real50(direction[k][i]) * data<Dual50>(gradient[k])[i].slope);
  });
  return sum;
}

/// A derivative, and the largest Σ|terms| of the values that it is made from.
struct Slope {
  Real50 value;
  Real50 terms = 0;
};

/// Derivative at 0 of sum(step) along its argument: (4 D(h) − D(2h))/3, D the central difference, with
/// an error of h⁴ f⁽⁵⁾/30 · 4 and of the rounding of f over h.
template <class F>
Slope extrapolated(F&& sum) {
  Slope result;
  const auto f = [&](const Real50& step) {
    const Sum seen = sum(step);
    if (seen.magnitude > result.terms) result.terms = seen.magnitude;
    return seen.value;
  };
  const Real50 h(kStep);
  const Real50 near = (f(h) - f(Real50(-h))) / (2 * h);
  const Real50 far = (f(Real50(2 * h)) - f(Real50(-2 * h))) / (4 * h);
  result.value = Real50((4 * near - far) / 3);
  return result;
}

double largest_of_row(const Shape& shape, const Values& values, std::size_t i) {
  const auto width = static_cast<std::size_t>(shape[3]);
  const std::size_t first = i / width * width;
  double largest = 0;
  for (std::size_t j = first; j < first + width; ++j) {
    largest = std::max(largest, std::abs(values[j]));
  }
  return largest;
}

/// Rounding of ⟨w, f⟩ in units of roundoff.
double forward_rounding(const GradientCase& at) {
  const Owned in = inputs<Running>(Dtype::e64, at,
                                   [&](auto k, auto i) { return Running::exact(at.inputs[k][i]); });
  const Owned out = forward(oracle(), at, Dtype::e64, in);
  double sum = 0;
  for_each_entry(at.cotangents, [&](auto k, auto i) {
    const Running& y = data<Running>(out[k])[i];
    sum += std::abs(at.cotangents[k][i]) * (y.bound + std::abs(y.value));
  });
  return sum;
}

double gradient_rounding(const std::vector<Values>& direction, const RoundingBounds& rounding) {
  double sum = 0;
  for_each_entry(direction,
                 [&](auto k, auto i) { sum += std::abs(direction[k][i]) * rounding.bound[k][i]; });
  return sum;
}

/// In units of roundoff times the magnitude; of a magnitude of (almost) 0 in units of roundoff.
WideComparison comparison(const Real50& a, const Real50& b, const Real50& magnitude,
                          const Real50& tolerance) {
  // A quotient by less would leave the range of a double.
  const Real50 least(1e-200);
  const Real50 unit = (magnitude > least ? magnitude : Real50(1)) * Real50(kRoundoff);
  return {.difference = static_cast<double>(Real50(abs(a - b) / unit)),
          .tolerance = static_cast<double>(Real50(tolerance / unit)),
          .magnitude = static_cast<double>(magnitude)};
}

}  // namespace

const Subject& oracle() {
  static const Subject subject = library();
  return subject;
}

WideGradient wide_gradient(const Subject& subject, const GradientCase& at) {
  const Owned g =
      backward(subject, at, Dtype::r50, plain_inputs(at), cotangents<Real50>(Dtype::r50, at));
  WideGradient result{at.inputs, at.inputs};
  for_each_entry(at.inputs, [&](auto k, auto i) {
    const Real50& exact = data<Real50>(g[k])[i];
    result.high[k][i] = static_cast<double>(exact);
    result.low[k][i] = static_cast<double>(Real50(exact - Real50(result.high[k][i])));
  });
  return result;
}

RoundingBounds backward_rounding(const GradientCase& at) {
  const Owned in = inputs<Running>(Dtype::e64, at,
                                   [&](auto k, auto i) { return Running::exact(at.inputs[k][i]); });
  const Owned g = backward(oracle(), at, Dtype::e64, in,
                           filled<Running>(Dtype::e64, at.instance.outputs, [&](auto k, auto i) {
                             return Running::exact(at.cotangents[k][i]);
                           }));
  RoundingBounds result{at.inputs, at.inputs, at.inputs};
  for_each_entry(at.inputs, [&](auto k, auto i) {
    const Running& value = data<Running>(g[k])[i];
    result.bound[k][i] = value.bound;
    result.spread[k][i] = value.spread;
    result.flush[k][i] = value.flush;
  });
  return result;
}

WideComparison adjoint(const Subject& subject, const GradientCase& at,
                       const RoundingBounds& rounding) {
  const Owned tangent = forward(subject, at, Dtype::d50, dual_inputs(at, at.u, at.u, Real50(0)));
  const Owned gradient =
      backward(subject, at, Dtype::r50, plain_inputs(at), cotangents<Real50>(Dtype::r50, at));
  const Sum forwards = weighted_tangent(at, tangent);
  const Sum backwards = along(at.u, gradient);
  // Where the gradient is small by cancellation, the rounding of what cancels is left.
  const double floor = kSums * (forward_rounding(at) + gradient_rounding(at.u, rounding));
  return comparison(forwards.value, backwards.value, backwards.magnitude,
                    Real50(Real50(kFormula) * backwards.magnitude + Real50(kRoundoff) * floor));
}

WideComparison independence(const Subject& subject, const GradientCase& at,
                            const RoundingBounds& rounding) {
  const Slope slope = extrapolated([&](const Real50& step) {
    return weighted(at, forward(subject, at, Dtype::r50, moved(at, at.u, step)));
  });
  const Owned gradient =
      backward(subject, at, Dtype::r50, plain_inputs(at), cotangents<Real50>(Dtype::r50, at));
  const Sum backwards = along(at.u, gradient);
  const double floor = kSums *
                       (forward_rounding(at) + gradient_rounding(at.u, rounding) +
                        static_cast<double>(slope.terms)) /
                       kStep;
  return comparison(
      slope.value, backwards.value, backwards.magnitude,
      Real50(Real50(kIndependence) * backwards.magnitude + Real50(kRoundoff) * floor));
}

HessianComparison hessian(const Subject& subject, const GradientCase& at,
                          const RoundingBounds& rounding) {
  const auto product = [&](const auto& along_direction, const auto& of) {
    const Owned gradient = backward(subject, at, Dtype::d50, dual_inputs(at, of, of, Real50(0)),
                                    cotangents<Dual50>(Dtype::d50, at));
    return along_tangent(along_direction, gradient);
  };
  const Sum uhv = product(at.u, at.v);
  const Sum vhu = product(at.v, at.u);
  const Slope slope = extrapolated([&](const Real50& step) {
    return weighted_tangent(at,
                            forward(subject, at, Dtype::d50, dual_inputs(at, at.u, at.v, step)));
  });
  const Real50 magnitude = uhv.magnitude > vhu.magnitude ? uhv.magnitude : vhu.magnitude;
  const double floor =
      kSums * (forward_rounding(at) + gradient_rounding(at.u, rounding) +
               gradient_rounding(at.v, rounding) + static_cast<double>(slope.terms));
  const auto tolerance = [&](double relative, double step) {
    return Real50(Real50(relative) * magnitude + Real50(kRoundoff) * floor / step);
  };
  return {comparison(uhv.value, vhu.value, magnitude, tolerance(kFormula, 1)),
          comparison(uhv.value, slope.value, magnitude, tolerance(kIndependence, kStep))};
}

std::vector<Values> conditioning(const GradientCase& at, std::span<const std::uint64_t> seeds) {
  std::vector<Values> scales = at.inputs;
  for (Values& values : scales) std::fill(values.begin(), values.end(), 0.0);
  const double weight = 1 / std::sqrt(static_cast<double>(seeds.size()));
  Owned gradient;
  for (const std::uint64_t seed : seeds) {
    Stream changes(seed);
    const auto changed = [&](const Shape& shape, const Values& values, std::size_t i) {
      const double size = largest_of_row(shape, values, i);
      return Dual<double>(values[i], size * random_change(changes));
    };
    const Owned in = inputs<Dual<double>>(Dtype::d64, at, [&](auto k, auto i) {
      return changed(at.instance.inputs[k].shape, at.inputs[k], i);
    });
    const Owned w = filled<Dual<double>>(Dtype::d64, at.instance.outputs, [&](auto k, auto i) {
      return changed(at.instance.outputs[k], at.cotangents[k], i);
    });
    const StoredNoise noise(changes);
    gradient = backward(oracle(), at, Dtype::d64, in, w);
    for_each_entry(scales, [&](auto k, auto i) {
      scales[k][i] = std::hypot(scales[k][i], weight * data<Dual<double>>(gradient[k])[i].slope);
    });
  }
  for_each_entry(scales, [&](auto k, auto i) {
    scales[k][i] = std::hypot(scales[k][i], data<Dual<double>>(gradient[k])[i].value);
  });
  return scales;
}

OneSided one_sided(const Subject& subject, const GradientCase& at) {
  const Real50 h(kStep);
  const auto shifted = [&](const Real50& step) {
    return forward(subject, at, Dtype::r50, inputs<Real50>(Dtype::r50, at, [&](auto k, auto i) {
                     return Real50(Real50(at.inputs[k][i]) + step);
                   }));
  };
  const Owned right = shifted(h);
  const Owned here = shifted(Real50(0));
  const Owned left = shifted(Real50(-h));
  OneSided result{at.inputs[0], at.inputs[0]};
  for (std::size_t i = 0; i < result.left.size(); ++i) {
    const Real50 w(at.cotangents[0][i]);
    const Real50& y = data<Real50>(here[0])[i];
    result.left[i] = static_cast<double>(Real50(w * (y - data<Real50>(left[0])[i]) / h));
    result.right[i] = static_cast<double>(Real50(w * (data<Real50>(right[0])[i] - y) / h));
  }
  return result;
}

}  // namespace rootdk
