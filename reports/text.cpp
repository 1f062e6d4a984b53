#include <rootdk/reports/text.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace rootdk::reports {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the valid UTF-8 sequence at the front, 0 if there is none. Rejects overlong forms,
/// surrogates, code points beyond U+10FFFF and the two noncharacters that XML forbids.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >> 5 == 0x6    ? 2
                             : first >> 4 == 0xE  ? 3
                             : first >> 3 == 0x1E ? 4
                                                  : 0;
  if (length == 0) return 0;
  std::uint32_t point = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 0x2) return 0;
    point = point << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  const bool noncharacter = point == 0xFFFE || point == 0xFFFF;
  return point < least[length] || point > 0x10FFFF || surrogate || noncharacter ? 0 : length;
}

bool control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0 || (length == 1 && control(text.front()))) {
      out += kReplacement;
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view special = "\\`*_{}[]<>|~#&$!";
  std::string out;
  for (const char c : printable(text)) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string count_text(double count) {
  if (!(count >= 0) || count >= 1e15) return fmt::format("{:.3g}", count);
  if (count >= 1e9) return fmt::format("{:.3g} billion", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.3g} million", count / 1e6);
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string csv_field(std::string_view text) {
  const std::string shown = printable(text);
  if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
  std::string out = "\"";
  for (const char c : shown) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace rootdk::reports
