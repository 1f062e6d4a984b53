#include <rootdk/properties/token.hpp>

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace rootdk {
namespace {

constexpr std::string_view kForm =
    "CLAIM:FIELD=VALUE,…:seed=N,effort=E,alpha=P[,fresh=1],subject=NAME";

/// The value of "name=value" up to the next comma; a subject runs to the end, it may hold commas.
std::string_view take(std::string_view& text, std::string_view name) {
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != '=') {
    throw std::invalid_argument(
        fmt::format("token: '{}' found where {}=… is expected in {}", text, name, kForm));
  }
  text.remove_prefix(name.size() + 1);
  const std::string_view value = name == "subject" ? text : text.substr(0, text.find(','));
  text.remove_prefix(std::min(text.size(), value.size() + 1));
  return value;
}

template <class Number>
Number number(std::string_view text, std::string_view name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format("token: {}={} is not a number", name, text));
  }
  return value;
}

}  // namespace

std::string token_text(const Token& token) {
  return fmt::format("{}:{}:seed={},effort={},alpha={}{},subject={}", token.claim,
                     token.configuration, token.seed, token.effort, token.alpha,
                     token.fresh ? ",fresh=1" : "", token.subject);
}

Token parse_token(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos) {
    throw std::invalid_argument(fmt::format("token: '{}' is not of the form {}", text, kForm));
  }
  Token token;
  token.claim = text.substr(0, first);
  token.configuration = text.substr(first + 1, second - first - 1);
  std::string_view rest = text.substr(second + 1);
  token.seed = number<std::uint64_t>(take(rest, "seed"), "seed");
  token.effort = take(rest, "effort");
  token.alpha = number<double>(take(rest, "alpha"), "alpha");
  if (rest.starts_with("fresh=")) {
    const std::string_view fresh = take(rest, "fresh");
    if (fresh != "1") {
      throw std::invalid_argument(fmt::format("token: fresh={} where only 1 is possible", fresh));
    }
    token.fresh = true;
  }
  token.subject = take(rest, "subject");
  return token;
}

}  // namespace rootdk
