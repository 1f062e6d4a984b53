#include <rootdk/properties/configuration.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace rootdk {

namespace {

const std::string* kept(std::string_view text) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(text);
  return found != known.end() ? &*found : &*known.emplace(text).first;
}

}  // namespace

void Configuration::set(std::string_view name, Value value) {
  const auto held = std::visit(
      [](const auto& v) -> decltype(Field::value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
          return kept(v);
        else
          return v;
      },
      value);
  const auto found = find(name);
  if (found != fields_.end()) {
    fields_[static_cast<std::size_t>(found - fields_.begin())].value = held;
  } else {
    fields_.push_back({kept(name), held});
  }
}

std::vector<Configuration::Field>::const_iterator Configuration::find(std::string_view name) const {
  return std::ranges::find_if(fields_, [&](const Field& field) { return *field.name == name; });
}

bool Configuration::has(std::string_view name) const { return find(name) != fields_.end(); }

template <class T>
const T& Configuration::value(std::string_view name, std::string_view type) const {
  const auto found = find(name);
  if (found == fields_.end()) {
    throw std::invalid_argument(fmt::format("configuration: no field '{}' in {}", name, str()));
  }
  if (const T* result = std::get_if<T>(&found->value)) return *result;
  throw std::invalid_argument(fmt::format("configuration: field '{}' is not {}", name, type));
}

std::int64_t Configuration::integer(std::string_view name) const {
  return value<std::int64_t>(name, "an integer");
}
double Configuration::real(std::string_view name) const {
  return value<double>(name, "a real number");
}
const std::string& Configuration::text(std::string_view name) const {
  return *value<Text>(name, "a text");
}

std::string Configuration::str() const {
  std::string result;
  for (const Field& field : fields_) {
    if (!result.empty()) result += ',';
    result += *field.name + '=';
    if (const Text* text = std::get_if<Text>(&field.value)) {
      result += **text;
    } else if (const double* real = std::get_if<double>(&field.value)) {
      result += fmt::format("{}", *real);
    } else {
      result += fmt::format("{}", std::get<std::int64_t>(field.value));
    }
  }
  return result;
}

}  // namespace rootdk
