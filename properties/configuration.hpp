#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rootdk {

/// One point of a claim's domain: named values, printed as "d_k=17,n=8,scheme=sqrt_dk".
class Configuration {
 public:
  using Value = std::variant<std::int64_t, double, std::string>;

  void set(std::string_view name, Value value);

  /// @throws std::invalid_argument if there is no such field, or it has another type
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool has(std::string_view name) const;

  /// The canonical text: fields in the order of the domain, reals exactly.
  std::string str() const;

  bool operator==(const Configuration&) const = default;

 private:
  /// Names and texts are few and kept once for all configurations, of which a deep run has 10⁵.
  using Text = const std::string*;
  struct Field {
    Text name;
    std::variant<std::int64_t, double, Text> value;
    bool operator==(const Field&) const = default;
  };
  std::vector<Field>::const_iterator find(std::string_view name) const;
  template <class T>
  const T& value(std::string_view name, std::string_view type) const;

  std::vector<Field> fields_;
};

}  // namespace rootdk
