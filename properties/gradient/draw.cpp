#include <rootdk/lib/random/draws.hpp>
#include <rootdk/properties/gradient/draw.hpp>
#include <rootdk/properties/gradient/tensors.hpp>
#include <rootdk/properties/visit.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace rootdk {
namespace {

using Streams = std::function<Stream(std::string_view)>;

Values normal(Stream& stream, std::size_t count, double sd = 1) {
  Values values(count);
  fill_normal<double>(stream, values, 0, sd);
  return values;
}

/// Uniform on (0, 1).
double unit(Stream& stream) { return (static_cast<double>(stream() >> 12U) + 0.5) * 0x1p-52; }

/// Tokens of one kind: rows [rows, cols] of all batches and heads.
Values tokens(Stream& stream, const Operand& operand, const std::string& kind, double offset,
              std::int64_t power) {
  const auto cols = static_cast<std::size_t>(operand.shape[3]);
  Values x = normal(stream, count_of(operand.shape));
  const std::size_t rows = x.size() / cols;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return x[i * cols + j]; };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      double& value = at(i, j);
      if (kind == "saturated") value *= operand.saturating;
      // Pareto tails: P(|x| > t) = (1 + t)⁻².
      if (kind == "heavy_tailed") value = std::copysign(1 / std::sqrt(unit(stream)) - 1, value);
      if (kind == "duplicate_rows" && i % 2 == 1) value = at(i - 1, j);
      if (kind == "scaled") value = std::ldexp(value, static_cast<int>(power));
      if (kind == "shifted") value += offset;
      if (kind == "zeros" && (i == 0 || value > 0)) value = 0;
      if (kind == "rank_one" && i > 0)
        value = at(0, j) * (j == 0 ? value / at(0, 0) : at(i, 0) / at(0, 0));
      if (kind == "huge_feature" && j == 0) value *= 64;
      if (kind == "near_ties") value = at(i, 0) + (j == 0 ? 0 : value * 0x1p-12);
      if (kind == "constant_rows") value = at(i, 0);
    }
  }
  return x;
}

Values draw_input(Stream& stream, const Operand& operand, const Configuration& c,
                  const std::string& kind, double offset) {
  const std::size_t count = count_of(operand.shape);
  switch (operand.draw) {
    case Draw::tokens:
      return tokens(stream, operand, kind, offset, c.integer("power"));
    case Draw::weights: {
      const double sd = 1 / std::sqrt(static_cast<double>(operand.shape[2]));
      return normal(stream, count, kind == "saturated" ? sd * operand.saturating : sd);
    }
    case Draw::shift:
      return normal(stream, count);
    case Draw::gain: {
      Values values(count);
      for (double& value : values) {
        value = 0.25 + 1.5 * unit(stream);
        if ((stream() >> 63U) != 0) value = -value;
      }
      return values;
    }
    case Draw::parameters: {
      Values values(count);
      for (std::size_t i = 0; i < count; ++i) {
        const SchemeParameter& p = operand.parameters[i];
        values[i] = p.low + (p.high - p.low) * unit(stream);
      }
      return values;
    }
  }
  return {};
}

void round_all(Dtype dtype, Values& values) {
  for (double& value : values) value = rounded(dtype, value);
}

/// A direction of the size of an input.
Values direction(Stream& stream, const Values& input) {
  double squares = 0;
  for (const double value : input) squares += value * value;
  const double size = std::sqrt(squares / static_cast<double>(input.size()));
  return normal(stream, input.size(), size > 0 ? size : 1);
}

}  // namespace

double rounded(Dtype dtype, double x) {
  return visit_dtype(dtype, [&]<class T>(T) { return to_double(static_cast<T>(x)); });
}

Configuration draw_configuration(const Domain& domain, Stream& stream) {
  std::vector<std::int64_t> point;
  for (const Axis& axis : domain.axes()) {
    const auto length = static_cast<std::uint64_t>(axis.high - axis.low + 1);
    point.push_back(axis.low + static_cast<std::int64_t>(stream() % length));
  }
  return domain.at(point);
}

Attributes GradientCase::attributes() const {
  Attributes result = instance.attributes;
  result.key_lengths = key_lengths;
  result.labels = labels;
  return result;
}

GradientCase draw_gradient_case(const Operation& operation, const Configuration& c,
                                const Streams& stream) {
  const Dtype dtype = dtype_named(c.text("dtype"));
  const bool narrow = dtype == Dtype::f16 || dtype == Dtype::bf16;
  GradientCase result{.operation = &operation, .instance = operation.instance(c)};
  for (const Operand& operand : result.instance.inputs) {
    Stream source = stream(operand.name);
    // A mean of 1e6 lies outside the range of half; with 8 bits nothing of the spread would be
    // left.
    const double offset = narrow ? std::min(operand.offset, 16.0) : operand.offset;
    Values values = draw_input(source, operand, c, c.text("data"), offset);
    round_all(dtype, values);
    if (operation.kinked) std::ranges::replace(values, 0.0, 0.5);
    result.u.push_back(direction(source, values));
    result.v.push_back(direction(source, values));
    result.inputs.push_back(std::move(values));
  }
  // Losses are means over many: their cotangents are small. Half has no room for that.
  const bool small = c.integer("small_cotangent") == 1 && dtype != Dtype::f16;
  Stream source = stream("cotangent");
  for (const Shape& shape : result.instance.outputs) {
    result.cotangents.push_back(normal(source, count_of(shape), small ? 0x1p-17 : 1));
    round_all(dtype, result.cotangents.back());
  }
  Stream whole = stream("whole numbers");
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(whole() % static_cast<std::uint64_t>(end));
  };
  const Instance& instance = result.instance;
  for (std::int64_t b = 0; instance.padded_keys > 0 && b < instance.inputs[0].shape[0]; ++b) {
    result.key_lengths.push_back(below(instance.padded_keys + 1));
  }
  for (std::int64_t i = 0; instance.classes > 0 && i < instance.inputs[0].shape[2]; ++i) {
    result.labels.push_back(below(instance.classes));
  }
  return result;
}

}  // namespace rootdk
