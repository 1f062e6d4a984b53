#include <rootdk/lib/random/draws.hpp>
#include <rootdk/properties/claim.hpp>
#include <rootdk/properties/gradient/checkers.hpp>
#include <rootdk/properties/gradient/draw.hpp>
#include <rootdk/properties/gradient/tensors.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace rootdk {
namespace {

/// f64 tensors of the given shapes, filled from flat values; zeros beyond them.
Owned tensors(const std::vector<Shape>& shapes, const Values& flat) {
  std::size_t next = 0;
  return filled<double>(Dtype::f64, shapes,
                        [&](auto, auto) { return next < flat.size() ? flat[next++] : 0; });
}

Values flattened(const Owned& owned) {
  Values flat;
  for (const OwnedTensor& t : owned) {
    const auto* data = static_cast<const double*>(t.tensor.data);
    flat.insert(flat.end(), data, data + t.tensor.size());
  }
  return flat;
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// x with x[i] + step.
Values stepped(const Values& x, std::size_t i, double step) {
  Values result = x;
  result[i] += step;
  return result;
}

/// f(x + h eᵢ) − f(x − h eᵢ), output by output.
Values spread(const CheckedFunction& f, std::size_t i, double h) {
  Values high = f.forward(stepped(f.x(), i, h));
  const Values low = f.forward(stepped(f.x(), i, -h));
  for (std::size_t o = 0; o < high.size(); ++o) high[o] -= low[o];
  return high;
}

Values central(const CheckedFunction& f, std::size_t i, double h) {
  Values d = spread(f, i, h);
  for (double& value : d) value /= 2 * h;
  return d;
}

/// accept(analytic, numeric) for every entry of the Jacobian, one column at a time.
template <class Column, class Accept>
bool all_entries(const CheckedFunction& f, Column&& column, Accept&& accept) {
  const Values analytic = f.jacobian();
  for (std::size_t i = 0; i < f.inputs(); ++i) {
    const Values numeric = column(i);
    for (std::size_t o = 0; o < f.outputs(); ++o) {
      if (!accept(analytic[o * f.inputs() + i], numeric[o])) return false;
    }
  }
  return true;
}

/// |analytic − numeric| ≤ 1e-5 + 1e-3 |numeric|, step 1e-6, every entry of the Jacobian.
bool torch_slow(const CheckedFunction& f, Stream&) {
  return all_entries(
      f, [&](std::size_t i) { return central(f, i, 1e-6); },
      [](double a, double n) { return std::abs(a - n) <= 1e-5 + 1e-3 * std::abs(n); });
}

/// A random vector of positive entries and length 1.
Values positive_unit(Stream& stream, std::size_t count) {
  Values u(count);
  double squares = 0;
  for (double& value : u) {
    value = static_cast<double>(stream() >> 11U) * 0x1p-53;
    squares += value * value;
  }
  for (double& value : u) value /= std::sqrt(squares);
  return u;
}

/// vᵀJu of one input tensor, u and v positive; the absolute tolerance 1e-5 is multiplied by the sums
/// of both.
bool torch_fast(const CheckedFunction& f, Stream& stream) {
  const Values v = positive_unit(stream, f.outputs());
  const Values gradient = f.backward(v);
  double sum_v = 0;
  for (const double value : v) sum_v += value;
  std::size_t first = 0;
  for (const std::size_t end : f.ends()) {
    const Values u = positive_unit(stream, end - first);
    Values high = f.x();
    Values low = f.x();
    double analytic = 0;
    double sum_u = 0;
    for (std::size_t i = first; i < end; ++i) {
      high[i] += 1e-6 * u[i - first];
      low[i] -= 1e-6 * u[i - first];
      analytic += gradient[i] * u[i - first];
      sum_u += u[i - first];
    }
    const double numeric = (dot(v, f.forward(high)) - dot(v, f.forward(low))) / 2e-6;
    if (!(std::abs(analytic - numeric) <= 1e-5 * sum_u * sum_v + 1e-3 * std::abs(numeric))) {
      return false;
    }
    first = end;
  }
  return true;
}

/// ⟨u, Jᵀw⟩ against ⟨Ju, w⟩ by a step of 1e-4, u and w normal; both tolerances 1e-5.
bool jax_vjp(const CheckedFunction& f, Stream& stream) {
  Values u(f.inputs());
  Values w(f.outputs());
  fill_normal<double>(stream, u, 0, 1);
  fill_normal<double>(stream, w, 0, 1);
  Values high = f.x();
  Values low = f.x();
  for (std::size_t i = 0; i < u.size(); ++i) {
    high[i] += 1e-4 * u[i];
    low[i] -= 1e-4 * u[i];
  }
  const double numeric = (dot(w, f.forward(high)) - dot(w, f.forward(low))) / 2e-4;
  return std::abs(dot(u, f.backward(w)) - numeric) <= 1e-5 + 1e-5 * std::abs(numeric);
}

/// The largest difference of the Jacobians, step 2⁻¹⁰, below 1e-4.
bool tensorflow(const CheckedFunction& f, Stream&) {
  return all_entries(
      f, [&](std::size_t i) { return central(f, i, 0x1p-10); },
      [](double a, double n) { return std::abs(a - n) < 1e-4; });
}

/// Differences of sixth order, step ∛ε max(1, |x|); |a − n| ≤ max(1e-4 of their mean size, 1e-8).
bool stan(const CheckedFunction& f, Stream&) {
  const auto column = [&](std::size_t i) {
    const double h =
        std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(f.x()[i]));
    const Values one = spread(f, i, h);
    const Values two = spread(f, i, 2 * h);
    Values three = spread(f, i, 3 * h);
    for (std::size_t o = 0; o < three.size(); ++o) {
      three[o] = (45 * one[o] - 9 * two[o] + three[o]) / (60 * h);
    }
    return three;
  };
  return all_entries(f, column, [](double a, double n) {
    return std::abs(a - n) <= std::max(1e-4 * 0.5 * (std::abs(a) + std::abs(n)), 1e-8);
  });
}

/// Ridders' extrapolation of one column: steps halved from 1e-2 of x, up to ten columns, until the
/// error estimate falls below 1e-12 or grows twofold.
Values ridders(const CheckedFunction& f, std::size_t i) {
  constexpr std::size_t most = 10;
  double h = std::max(1e-2, 1e-2 * std::abs(f.x()[i]));
  std::vector<Values> previous;
  Values best;
  double error = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < most; ++k, h /= 2) {
    std::vector<Values> row{central(f, i, h)};
    double scale = 4;
    double smallest = std::numeric_limits<double>::infinity();
    if (best.empty()) best = row[0];
    for (std::size_t c = 1; c <= k; ++c, scale *= 4) {
      Values value = row[c - 1];
      double here = 0;
      for (std::size_t o = 0; o < value.size(); ++o) {
        value[o] = (row[c - 1][o] * scale - previous[c - 1][o]) / (scale - 1);
        here = std::max(
            {here, std::abs(value[o] - row[c - 1][o]), std::abs(value[o] - previous[c - 1][o])});
      }
      if (here <= error) {
        error = here;
        best = value;
      }
      smallest = std::min(smallest, here);
      row.push_back(std::move(value));
    }
    if (error < 1e-12) break;
    if (k > 1 && smallest > 2 * error) break;
    previous = std::move(row);
  }
  return best;
}

/// |a − n| ≤ 1e-8 of the larger one; absolutely, where one of them is 0.
bool ceres(const CheckedFunction& f, Stream&) {
  return all_entries(
      f, [&](std::size_t i) { return ridders(f, i); },
      [](double a, double n) {
        const double difference = std::abs(a - n);
        if (a == 0 || n == 0) return difference <= 1e-8;
        return difference <= 1e-8 * std::max(std::abs(a), std::abs(n));
      });
}

// A fault counts from this relative size on.
constexpr double kLeastFault = 1e-12;
// And where the gradient is this part of the outputs at least. W1 cannot see what is below the
// rounding of the outputs at 50 digits, 64 · 2⁻¹⁶⁸ = 2e-49 of them and of their own errors: 1e-12 of
// 1e-34 is a thousand times as much. tanh at x = 45 has a slope of 3e-39; there W3 judges.
constexpr double kResolved = 1e-34;

constexpr std::array kRules{
    CheckerRule{"torch_slow", "PyTorch gradcheck: 1e-5 + 1e-3 relative, every entry", torch_slow},
    CheckerRule{"torch_fast", "PyTorch gradcheck, fast mode: one positive probe", torch_fast},
    CheckerRule{"jax_vjp", "JAX check_vjp, float64: one probe, 1e-5", jax_vjp},
    CheckerRule{"tensorflow", "TensorFlow compute_gradient: gap below 1e-4", tensorflow},
    CheckerRule{"stan", "Stan expect_ad: 1e-4 relative, 1e-8 absolute", stan},
    CheckerRule{"ceres", "Ceres GradientChecker: Ridders, 1e-8 relative", ceres},
};

}  // namespace

CheckedFunction::CheckedFunction(const Subject& forward, const Subject& backward,
                                 const GradientCase& at)
    : forward_(&forward), backward_(&backward), case_(&at) {
  for (const Values& values : at.inputs) {
    x_.insert(x_.end(), values.begin(), values.end());
    ends_.push_back(x_.size());
  }
  for (const Shape& shape : at.instance.outputs) outputs_ += count_of(shape);
}

Values CheckedFunction::forward(const Values& x) const {
  const auto in = tensors(input_shapes(*case_), x);
  const auto out = tensors(case_->instance.outputs, {});
  forward_->call(case_->operation->op, Pass::forward, case_->attributes(), borrowed(in),
                 borrowed(out));
  return flattened(out);
}

Values CheckedFunction::backward(const Values& cotangent) const {
  const auto in = tensors(input_shapes(*case_), x_);
  const auto w = tensors(case_->instance.outputs, cotangent);
  const auto out = tensors(input_shapes(*case_), {});
  backward_->call(case_->operation->op, Pass::backward, case_->attributes(), borrowed(in, w),
                  borrowed(out));
  return flattened(out);
}

Values CheckedFunction::jacobian() const {
  Values result;
  for (std::size_t o = 0; o < outputs_; ++o) {
    Values one(outputs_, 0.0);
    one[o] = 1;
    const Values row = backward(one);
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

std::span<const CheckerRule> checker_rules() { return kRules; }

bool accepted_at_50_digits(const Subject& subject, const GradientCase& at) {
  const WideComparison seen = adjoint(subject, at, backward_rounding(at));
  return seen.difference <= seen.tolerance;
}

bool differs(const Subject& subject, const GradientCase& at) {
  const WideGradient wrong = wide_gradient(subject, at);
  const WideGradient right = wide_gradient(oracle(), at);
  double size = 0;
  double difference = 0;
  for (std::size_t k = 0; k < wrong.high.size(); ++k) {
    for (std::size_t i = 0; i < wrong.high[k].size(); ++i) {
      const double u = std::abs(at.u[k][i]);
      size += u * std::abs(right.high[k][i]);
      difference += u * std::abs(wrong.high[k][i] - right.high[k][i]);
    }
  }
  const CheckedFunction f(oracle(), oracle(), at);
  const Values y = f.forward(f.x());
  double outputs = 0;
  std::size_t next = 0;
  for (const Values& w : at.cotangents) {
    for (const double value : w) outputs += std::abs(value * y[next++]);
  }
  return difference > kLeastFault * size && size > kResolved * outputs;
}

std::vector<Subject> wrong_subjects(std::string_view op) {
  std::vector<Subject> result;
  const std::string claim = "gradient." + std::string(op);
  for (const Defect& defect : all_defects()) {
    if (!defect.id.starts_with("backward.")) continue;
    if (std::ranges::find(defect.refuted_by, claim) == defect.refuted_by.end()) continue;
    result.push_back(defect.plant(oracle()));
    result.back().rename(defect.id);
  }
  return result;
}

std::vector<CheckerRow> compare_checkers(std::uint64_t seed, std::size_t draws) {
  std::vector<CheckerRow> rows;
  for (const CheckerRule& rule : kRules)
    rows.push_back({std::string(rule.id), std::string(rule.rule)});
  rows.push_back({"w1", "W1 at 50 digits: ⟨Ju, w⟩ = ⟨u, Jᵀw⟩ to 1e-42"});
  const auto count = [](CheckerRow& row, bool wrong, bool accepted) {
    ++(wrong ? row.wrong : row.right);
    if (!accepted) ++(wrong ? row.found : row.refused);
  };
  for (const Operation& operation : operations()) {
    const std::vector<Subject> wrong = wrong_subjects(operation.op);
    Stream source(seed ^ hash(operation.name));
    for (std::size_t draw = 0; draw < draws; ++draw) {
      Configuration c = draw_configuration(operation.domain, source);
      c.set("dtype", std::string("f64"));
      const GradientCase at = draw_gradient_case(operation, c, [&](std::string_view role) {
        return Stream(Address{.seed = seed, .configuration = hash(c.str()), .role = hash(role)});
      });
      const auto show = [&](const Subject& backward, bool is_wrong) {
        const CheckedFunction f(oracle(), backward, at);
        Stream stream(seed ^ hash(c.str()));
        for (std::size_t r = 0; r < kRules.size(); ++r) {
          count(rows[r], is_wrong, kRules[r].accepts(f, stream));
        }
        count(rows.back(), is_wrong, accepted_at_50_digits(backward, at));
      };
      show(oracle(), false);
      for (const Subject& subject : wrong) {
        if (differs(subject, at)) show(subject, true);
      }
    }
  }
  return rows;
}

}  // namespace rootdk
