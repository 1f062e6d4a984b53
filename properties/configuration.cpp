#include <rootdk/properties/configuration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rootdk {

void Configuration::set(std::string_view name, Value value) {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  if (found != fields_.end()) {
    found->value = std::move(value);
  } else {
    fields_.push_back({std::string(name), std::move(value)});
  }
}

bool Configuration::has(std::string_view name) const {
  return std::ranges::find(fields_, name, &Field::name) != fields_.end();
}

const Configuration::Value& Configuration::value(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  if (found == fields_.end()) {
    throw std::invalid_argument(fmt::format("configuration: no field '{}' in {}", name, str()));
  }
  return found->value;
}

namespace {

template <class T>
const T& as(const Configuration::Value& value, std::string_view name, std::string_view type) {
  if (const T* result = std::get_if<T>(&value)) return *result;
  throw std::invalid_argument(fmt::format("configuration: field '{}' is not {}", name, type));
}

}  // namespace

std::int64_t Configuration::integer(std::string_view name) const {
  return as<std::int64_t>(value(name), name, "an integer");
}
double Configuration::real(std::string_view name) const {
  return as<double>(value(name), name, "a real number");
}
const std::string& Configuration::text(std::string_view name) const {
  return as<std::string>(value(name), name, "a text");
}

std::string Configuration::str() const {
  std::string result;
  for (const Field& field : fields_) {
    if (!result.empty()) result += ',';
    std::visit([&](const auto& v) { result += fmt::format("{}={}", field.name, v); }, field.value);
  }
  return result;
}

}  // namespace rootdk
