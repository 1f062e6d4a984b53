#include <rootdk/properties/domain.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace rootdk {
namespace {

template <class Number>
Number parse_number(std::string_view text, std::string_view what) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format("configuration: {}={} is not a number", what, text));
  }
  return value;
}

}  // namespace

Configuration::Value Axis::at(std::int64_t index) const {
  if (!choices.empty()) return choices.at(static_cast<std::size_t>(index));
  if (step > 0) return step * static_cast<double>(index);
  return index;
}

namespace {

/// Index of a value on the axis prolonged, beyond its ends too.
std::int64_t prolonged_index(const Axis& axis, std::string_view text) {
  const auto& [name, low, high, step, choices] = axis;
  if (!choices.empty()) {
    const auto found = std::ranges::find(choices, text);
    if (found == choices.end()) {
      throw std::invalid_argument(
          fmt::format("configuration: {}={} is none of {}", name, text, fmt::join(choices, ", ")));
    }
    return found - choices.begin();
  }
  const auto result =
      step > 0 ? static_cast<std::int64_t>(std::llround(parse_number<double>(text, name) / step))
               : parse_number<std::int64_t>(text, name);
  if (step > 0 && std::get<double>(axis.at(result)) != parse_number<double>(text, name)) {
    throw std::invalid_argument(
        fmt::format("configuration: {}={} is outside {}", name, text, axis.str()));
  }
  return result;
}

}  // namespace

std::int64_t Axis::index(std::string_view text) const {
  const std::int64_t result = prolonged_index(*this, text);
  if (choices.empty() && (result < low || result > high)) {
    throw std::invalid_argument(
        fmt::format("configuration: {}={} is outside {}", name, text, str()));
  }
  return result;
}

std::string Axis::str() const {
  if (!choices.empty()) return fmt::format("{} {}", name, fmt::join(choices, " | "));
  if (step > 0) {
    return fmt::format("{} {}–{}", name, step * static_cast<double>(low),
                       step * static_cast<double>(high));
  }
  return low == high ? fmt::format("{} {}", name, low) : fmt::format("{} {}–{}", name, low, high);
}

Domain& Domain::integer(std::string name, std::int64_t low, std::int64_t high) {
  axes_.push_back({.name = std::move(name), .low = low, .high = high, .choices = {}});
  return *this;
}

Domain& Domain::real(std::string name, double low, double high, double step) {
  axes_.push_back({.name = std::move(name),
                   .low = std::llround(low / step),
                   .high = std::llround(high / step),
                   .step = step,
                   .choices = {}});
  return *this;
}

Domain& Domain::choice(std::string name, std::vector<std::string> choices) {
  const auto last = static_cast<std::int64_t>(choices.size()) - 1;
  axes_.push_back({.name = std::move(name), .high = last, .choices = std::move(choices)});
  return *this;
}

Domain& Domain::valid(std::string description, std::function<void(Configuration&)> map) {
  valid_description_ = std::move(description);
  valid_ = std::move(map);
  return *this;
}

Configuration Domain::at(const std::vector<std::int64_t>& indices) const {
  Configuration result;
  for (std::size_t i = 0; i < axes_.size(); ++i) result.set(axes_[i].name, axes_[i].at(indices[i]));
  if (valid_) valid_(result);
  return result;
}

std::vector<std::int64_t> Domain::indices(const Configuration& configuration) const {
  std::vector<std::int64_t> result;
  for (const Axis& axis : axes_) {
    if (!axis.choices.empty()) {
      result.push_back(axis.index(configuration.text(axis.name)));
    } else if (axis.step > 0) {
      result.push_back(std::llround(configuration.real(axis.name) / axis.step));
    } else {
      result.push_back(configuration.integer(axis.name));
    }
  }
  return result;
}

Configuration Domain::parse(std::string_view text) const {
  std::vector<std::int64_t> found(axes_.size());
  std::vector<std::string_view> texts(axes_.size());
  std::vector<bool> seen(axes_.size(), false);
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const auto axis = std::ranges::find(axes_, key, &Axis::name);
    if (axis == axes_.end() || equals == std::string_view::npos) {
      throw std::invalid_argument(
          fmt::format("configuration: '{}' is no field of {}", item, str()));
    }
    const auto i = static_cast<std::size_t>(axis - axes_.begin());
    found[i] = prolonged_index(*axis, item.substr(equals + 1));
    texts[i] = item.substr(equals + 1);
    seen[i] = true;
  }
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (!seen[i]) {
      throw std::invalid_argument(fmt::format("configuration: '{}' is missing", axes_[i].name));
    }
  }
  // The map may lead out of an axis, as n ≤ d_k does from n = 8 when d_k is 2.
  std::vector<std::int64_t> inside = found;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    inside[i] = std::clamp(found[i], axes_[i].low, axes_[i].high);
  }
  Configuration result = at(inside);
  if (indices(result) != found) {
    for (std::size_t i = 0; i < axes_.size(); ++i) axes_[i].index(texts[i]);
    throw std::invalid_argument(
        fmt::format("configuration: outside the domain {}; nearest is {}", str(), result.str()));
  }
  return result;
}

std::string Domain::str() const {
  std::vector<std::string> parts;
  for (const Axis& axis : axes_) parts.push_back(axis.str());
  std::string result = fmt::format("{}", fmt::join(parts, ", "));
  if (!valid_description_.empty()) result += "; " + valid_description_;
  return result;
}

std::uint64_t Domain::size() const {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t product = 1;
  for (const Axis& axis : axes_) {
    const auto length = static_cast<std::uint64_t>(axis.high - axis.low + 1);
    product = product > most / length ? most : product * length;
  }
  return product;
}

std::function<void(Configuration&)> at_most(std::string field, std::string bound) {
  return [field = std::move(field), bound = std::move(bound)](Configuration& c) {
    c.set(field, std::min(c.integer(field), c.integer(bound)));
  };
}

}  // namespace rootdk
